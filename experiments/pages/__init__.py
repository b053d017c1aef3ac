"""One module a page: ``write(found, out, docs)`` puts numbers and words below ``out``, and into ``docs`` if named."""
