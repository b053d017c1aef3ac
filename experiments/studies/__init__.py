"""One module an experiment: ``measure(setting)`` gives plain numbers, ready for JSON."""
