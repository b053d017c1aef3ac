def write(n, o):
    pass
