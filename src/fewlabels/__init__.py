"""fewlabels."""
