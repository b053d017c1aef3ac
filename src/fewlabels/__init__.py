"""How good is your classifier? An honest answer from a few labels.

>>> import numpy as np, fewlabels as fl
>>> prob = np.random.default_rng(0).beta(0.3, 3, size=5000)
>>> truth = np.random.default_rng(1).random(5000) < prob
>>> sample = fl.design(fl.Pool(prob), "f1", budget=300).draw(seed=0)
>>> est = fl.estimate(sample, truth[sample.index], "f1")
>>> low, high = est.interval(0.95)
>>> bool(low < est.value < high)
True
"""

from . import metrics
from .adaptive import Adaptive
from .designs import Design, design
from .errors import FewlabelsError, FewlabelsWarning
from .estimate import Estimate, estimate
from .planning import labels_needed
from .pool import Pool
from .sample import Sample

__version__ = "0.1.0"

__all__ = [
    "Adaptive",
    "Design",
    "Estimate",
    "FewlabelsError",
    "FewlabelsWarning",
    "Pool",
    "Sample",
    "__version__",
    "design",
    "estimate",
    "labels_needed",
    "metrics",
]
