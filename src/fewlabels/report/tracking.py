"""Values, bounds and the page into MLflow. Names are flat: ``f1/low`` would collide with ``f1`` in its file store."""

from __future__ import annotations

import importlib
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fewlabels.errors import FewlabelsError

from . import output


def log(found: Mapping[str, Any], run_id: str | None = None) -> str:
    """Log into the active run, a given one, or a new one; returns the run's id."""
    try:
        mlflow = importlib.import_module("mlflow")
    except ImportError as error:
        raise FewlabelsError("logging needs MLflow: pip install 'fewlabels[mlflow]'.") from error
    try:
        return _logged(mlflow, found, run_id)
    except mlflow.exceptions.MlflowException as error:
        raise FewlabelsError(f"MLflow refused: {str(error).split('. ')[0]}; see MLFLOW_TRACKING_URI.") from error


def _logged(mlflow: Any, found: Mapping[str, Any], run_id: str | None) -> str:
    active = mlflow.active_run()
    if active is not None and run_id in (None, active.info.run_id):
        _into(mlflow, found)
        return str(active.info.run_id)
    with mlflow.start_run(run_id=run_id, run_name=None if run_id else "fewlabels") as run:
        _into(mlflow, found)
        return str(run.info.run_id)


def _into(mlflow: Any, found: Mapping[str, Any]) -> None:
    mlflow.log_metrics(flat(found))
    about = {name: found[name] for name in ("fingerprint", "size", "drawn", "labelled", "sampler", "seed", "level")}
    mlflow.log_params({f"fewlabels_{name}": value for name, value in about.items()})
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "fewlabels_report.html"
        output.write(found, page)
        mlflow.log_artifact(str(page))


def flat(found: Mapping[str, Any]) -> dict[str, float]:
    """``f1``, ``f1_ci_low``, ``f1_ci_high``, ``f1_stderr`` for each metric, in names that MLflow takes.

    >>> flat({"estimates": [{"metric": "f1[cat]", "value": 0.5, "low": 0.4, "high": 0.6, "stderr": 0.05}]})
    {'f1_cat': 0.5, 'f1_cat_ci_low': 0.4, 'f1_cat_ci_high': 0.6, 'f1_cat_stderr': 0.05}
    """
    values: dict[str, float] = {}
    for row in found["estimates"]:
        name = re.sub(r"[^\w.-]+", "_", row["metric"]).strip("_")
        values |= {name: row["value"], f"{name}_ci_low": row["low"], f"{name}_ci_high": row["high"]}
        values[f"{name}_stderr"] = row["stderr"]
    return values
