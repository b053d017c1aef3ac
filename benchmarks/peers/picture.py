def page(r):
    return ""


def labels(r, p):
    pass


def curves(r, p):
    pass


def intervals(r, p):
    pass
