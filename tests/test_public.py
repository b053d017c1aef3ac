"""The public surface, and what importing it costs."""

import ast
import inspect
import json
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

import fewlabels as fl

SOURCE = Path(fl.__file__).parent
HEAVY = (
    "scipy.stats",
    "scipy.optimize",
    "pandas",
    "polars",
    "pyarrow",
    "sklearn",
    "matplotlib",
    "click",
    "rich",
    "sqlite3",
)


def imported_by(code):
    told = subprocess.run(
        [sys.executable, "-c", f"import sys, json; {code}; print(json.dumps(sorted(sys.modules)))"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(json.loads(told.stdout))


def test_what_init_imports_is_what_all_names():
    # Names are fetched lazily; what type checkers see, what is fetched and what __all__ promises must be the same.
    tree = ast.parse((SOURCE / "__init__.py").read_text())
    checked = next(node for node in tree.body if isinstance(node, ast.If))
    homes = {alias.name: node.module for node in checked.body for alias in node.names}
    assert homes.pop("metrics") is None
    assert homes == fl._HOME
    assert set(homes) | {"metrics", "__version__"} == set(fl.__all__) == set(dir(fl))
    assert list(fl.__all__) == sorted(fl.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        fl.nothing  # noqa: B018


def test_a_submodule_imported_first_does_not_hide_a_public_name():
    code = "import fewlabels.sklearn, fewlabels.workflow, fewlabels as fl; assert callable(fl.estimate)"
    assert "fewlabels.estimation" in imported_by(code)


def test_help_needs_no_numpy():
    assert not {"numpy", "scipy"} & imported_by("import fewlabels, fewlabels.cli")


def test_nothing_else_is_public():
    # Submodules become attributes when they are imported; everything else that is visible must be in __all__.
    submodules = {path.stem for path in SOURCE.iterdir()}
    seen = {name for name in vars(fl) if not name.startswith("_")} - submodules
    assert seen <= {*fl.__all__, "Any", "TYPE_CHECKING", "import_module"}


def test_the_promised_names_are_there():
    promised = {"Pool", "design", "estimate", "labels_needed", "metrics", "Sample", "Design", "Estimate"}
    assert promised <= set(fl.__all__)
    for name in ("names", "ratio", "smooth", "f_beta", "f_alpha"):
        assert callable(getattr(fl.metrics, name))
    for function, names in {
        fl.design: ("pool", "metric", "budget", "sampler", "trust", "like", "floor"),
        fl.estimate: ("sample", "labels", "metric", "like", "kind", "missing"),
        fl.labels_needed: ("pool", "metric", "stderr"),
    }.items():
        assert set(names) <= set(inspect.signature(function).parameters)


@pytest.mark.parametrize("name", [name for name in fl.__all__ if not name.startswith("_")])
def test_everything_public_says_what_it_is(name):
    assert inspect.getdoc(getattr(fl, name))


def test_the_version_is_the_package_version():
    assert fl.__version__ == metadata.version("fewlabels")


def test_importing_is_light():
    seen = imported_by("import fewlabels")
    assert not seen & set(HEAVY)


def test_the_main_job_is_light_too():
    code = (
        "import fewlabels as fl; s = fl.design(fl.Pool([0.1, 0.6, 0.9, 0.3] * 5), 'f1', 9).draw(seed=0); "
        "e = fl.estimate(s, [i % 2 for i in range(len(s))], 'f1'); e.interval(0.9); str(e); "
        "fl.labels_needed(s and fl.Pool([0.1, 0.6, 0.9, 0.3] * 5), 'f1', stderr=0.1)"
    )
    assert not imported_by(code) & {"pandas", "polars", "pyarrow", "sklearn", "matplotlib", "scipy.stats"}


@pytest.mark.parametrize("path", sorted((SOURCE / "maths").glob("*.py")), ids=lambda path: path.stem)
def test_the_mathematics_imports_numpy_and_scipy_only(path):
    allowed = {"numpy", "scipy", *sys.stdlib_module_names}
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            assert {alias.name.split(".")[0] for alias in node.names} <= allowed
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            assert node.module.split(".")[0] in allowed
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 1


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda path: str(path.relative_to(SOURCE)))
def test_nobody_uses_the_global_generator(path):
    """Randomness is an argument: np.random.default_rng and its kin with a seed, never np.random.<function>."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("np.random", "numpy.random"):
            assert node.attr in ("default_rng", "Generator", "SeedSequence", "PCG64")
        if isinstance(node, ast.Import):
            assert "random" not in {alias.name for alias in node.names}
