"""The paper's experiments on real data, and this project's defaults beside them: ``python -m experiments --list``."""
