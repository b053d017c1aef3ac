"""Reports: what they show, that nothing is fetched, and that hostile text stays text."""

import json
import re
from html.parser import HTMLParser

import mlflow
import numpy as np
import pytest

from fewlabels import workflow
from fewlabels.demo import digits
from fewlabels.report import output, plots, tracking, words
from fewlabels.study import Study
from fewlabels.votes import Vote

NASTY = "</script><script>alert(1)</script>"


def labelled_study(folder, task, budget=120):
    """A study of a made-up pool with every drawn item labelled."""
    rng = np.random.default_rng(5)
    if task == "binary":
        pool, truth = digits()
        table = {"id": pool.ids.tolist(), "score": pool.prob.tolist(), "text": [NASTY] * len(pool)}
        names = ["0", "1"]
        truth = [names[y] for y in truth]
        metrics = ["f1", "precision", "recall", "accuracy"]
    else:
        prob = rng.dirichlet([0.3, 0.3, 0.3], 800) if task == "multiclass" else rng.beta(0.3, 1, (800, 3))
        names = [NASTY, "dog", "a|b"]
        table = {"id": list(range(800))} | {f"prob_{name}": prob[:, k].tolist() for k, name in enumerate(names)}
        if task == "multiclass":
            truth = [names[rng.choice(3, p=p)] for p in prob]
            metrics = ["accuracy", "f1_macro"]
        else:
            truth = [[n for n, p in zip(names, row, strict=True) if rng.random() < p] for row in prob]
            metrics = ["f1_micro", "accuracy"]
    path = folder / f"{task}.db"
    workflow.draw(table, path, metrics[:1], budget=budget, seed=2)
    known = dict(zip(map(str, table["id"]), truth, strict=True))
    with Study.open(path) as study:
        study.record([Vote(item.id, known[item.id], "ann") for item in study.items()])
    return path, metrics


@pytest.fixture(scope="module", params=["binary", "multiclass", "multilabel"])
def found(request, tmp_path_factory):
    return workflow.report(*labelled_study(tmp_path_factory.mktemp("study"), request.param))


@pytest.fixture(scope="module")
def page(found):
    return output.html(found)


class Addresses(HTMLParser):
    """Everything in a page that a browser would fetch or run."""

    def __init__(self):
        super().__init__()
        self.found, self.scripts = [], []

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        self.found += [
            v for k, v in attributes if k in ("src", "href", "xlink:href") and not v.startswith(("#", "data:"))
        ]
        if tag == "script":
            self.scripts.append(named.get("type"))


def test_the_page_is_complete_small_and_fetches_nothing(found, page):
    assert len(page.encode()) < 1_000_000
    seen = Addresses()
    seen.feed(page)
    assert (seen.found, seen.scripts) == ([], ["application/json"])
    assert not re.search(r"url\((?!#)|@import", page)
    for name, title in words.TITLES.items():
        assert (title in page) == (name in plots.PLOTS and (name != "confusion" or found["confusion"] is not None))
    assert page.count("<svg") == page.count("</svg>") == (5 if found["confusion"] else 4)
    for row in found["estimates"]:
        assert f"{row['low']:.4f} to {row['high']:.4f}" in page
    assert "Sample Efficient Model Evaluation" in page


def test_the_page_holds_its_own_numbers(found, page):
    inside = page.split('id="results">')[1].split("</script>")[0]
    assert json.loads(inside)["estimates"] == found["estimates"]


@pytest.mark.parametrize("found", ["multilabel"], indirect=True)
def test_the_same_results_give_the_same_page(found, page):
    assert output.html(found) == page


def test_every_form(found, tmp_path, monkeypatch):
    made = output.everything(found, tmp_path / "report.md", tmp_path / "figures")
    pictures = [name for name in made if name.endswith(".png")]
    assert len(pictures) == (5 if found["confusion"] else 4)
    text = (tmp_path / "report.md").read_text()
    shown = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text)
    assert sorted(shown) == sorted(f"figures/{name.rsplit('/', 1)[1]}" for name in pictures)
    monkeypatch.setattr(output, "html", lambda found: "<!doctype html>")
    output.write(found, tmp_path / "report.html")
    for ending in ("json", "txt"):
        output.write(found, tmp_path / f"report.{ending}")
    assert json.loads((tmp_path / "report.json").read_text())["estimates"] == found["estimates"]
    assert f"{found['estimates'][0]['value']:.4f}" in (tmp_path / "report.txt").read_text()


def test_the_history_ends_where_the_estimate_stands(found):
    for row in found["estimates"]:
        last = found["narrowing"][row["metric"]][-1]
        assert (last["labels"], last["value"]) == (row["labels"], pytest.approx(row["value"], abs=1e-12))


def test_the_confusion_table_adds_up_to_the_pool(found):
    if found["confusion"] is not None:
        total = sum(cell["count"] for row in found["confusion"]["cells"] for cell in row)
        assert total == pytest.approx(found["size"], rel=1e-6)


def test_results_in_a_notebook(found):
    assert found.to_frame()["metric"].tolist() == [row["metric"] for row in found["estimates"]]
    assert "<table" in found._repr_html_()
    assert "<script" not in found._repr_html_()


@pytest.mark.parametrize("found", ["binary"], indirect=True)
def test_mlflow_gets_values_bounds_and_the_page(found, tmp_path, monkeypatch):
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    monkeypatch.setenv("MLFLOW_TRACKING_URI", (tmp_path / "runs").as_uri())
    run = tracking.log(found)
    stored = mlflow.MlflowClient().get_run(run).data
    assert stored.metrics == pytest.approx(tracking.flat(found))
    first = found["estimates"][0]
    assert stored.metrics[f"{first['metric']}_ci_low"] == pytest.approx(first["low"])
    assert stored.params["fewlabels_fingerprint"] == found["fingerprint"]
    assert [one.path for one in mlflow.MlflowClient().list_artifacts(run)] == ["fewlabels_report.html"]
    with mlflow.start_run() as active:
        assert tracking.log(found) == active.info.run_id
