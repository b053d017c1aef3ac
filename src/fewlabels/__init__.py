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

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import metrics
    from .adaptive import Adaptive
    from .designs import Design, design
    from .errors import FewlabelsError, FewlabelsWarning
    from .estimation import Estimate, estimate
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

_HOME = {
    "Adaptive": "adaptive",
    "Design": "designs",
    "Estimate": "estimation",
    "FewlabelsError": "errors",
    "FewlabelsWarning": "errors",
    "Pool": "pool",
    "Sample": "sample",
    "design": "designs",
    "estimate": "estimation",
    "labels_needed": "planning",
}


def __getattr__(name: str) -> Any:
    """Public names are fetched when they are first used: the command line's help needs neither numpy nor scipy."""
    if name == "metrics":
        return import_module(".metrics", __name__)
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
