"""One module an experiment: ``draw(numbers, folder)`` writes its figures from the JSON numbers alone."""
