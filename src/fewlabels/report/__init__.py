"""One dictionary of results -> text, JSON, Markdown, one self-contained page, pictures."""
