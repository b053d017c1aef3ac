"""Arrays in, arrays out; numpy and scipy only; symbols as in ``docs/notation.md``."""
