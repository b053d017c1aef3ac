"""``python -m experiments.held_out [--runs N] [--out FILE] [--publish DOCS]``: pools that chose nothing.

The constants of fewlabels were chosen on the shared pools, on simulated ones and on classifiers of other labels of the
same corpora. Here are corpus, label and classifier combinations that had no part in that: does what was promised hold?
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

import fewlabels as fl
from experiments import alone, cases, data

BUDGETS = (100, 300, 1000)
WAYS = {"ours": (None, None), "paper": ("paper", "poisson"), "uniform": ("paper", "uniform")}
Scores = tuple[NDArray[np.float64], NDArray[np.int64]]


def _trained(make: Callable[[], Any], seen: Any, labels: NDArray[np.bool_], unseen: Any) -> NDArray[np.float64]:
    return np.asarray(make().fit(seen, labels).predict_proba(unseen)[:, 1], dtype=np.float64)


def digits() -> Iterator[tuple[str, Scores]]:
    """MNIST: four digits, four kinds of classifier, 2,000 images to learn from and 15,000 to score."""
    from sklearn.ensemble import ExtraTreesClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.tree import DecisionTreeClassifier

    images, labels = data.mnist()
    order = np.random.default_rng(11).permutation(len(labels))
    train, test = order[:2000], order[2000:17_000]
    kinds: dict[int, tuple[str, Callable[[], Any]]] = {
        0: ("nearest neighbours", lambda: KNeighborsClassifier(15)),
        1: ("logistic regression", lambda: LogisticRegression(C=0.003, max_iter=200)),
        6: ("a tree", lambda: DecisionTreeClassifier(min_samples_leaf=15, random_state=0)),
        7: ("extra trees", lambda: ExtraTreesClassifier(50, random_state=0)),
    }
    for digit, (kind, make) in kinds.items():
        scores = _trained(make, images[train], labels[train] == digit, images[test])
        yield f"MNIST, is it a {digit}, {kind}", (scores, (labels[test] == digit).astype(np.int64))


def posts() -> Iterator[tuple[str, Scores]]:
    """20 Newsgroups: four groups, each against the rest."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression, SGDClassifier
    from sklearn.naive_bayes import ComplementNB, MultinomialNB

    texts, labels, groups = data.newsgroups("train")
    test_texts, test_labels, _ = data.newsgroups("test")
    words = TfidfVectorizer(min_df=2)
    seen, unseen = words.fit_transform(texts), words.transform(test_texts)
    kinds: dict[str, tuple[str, Callable[[], Any]]] = {
        "rec.sport.hockey": ("logistic regression", lambda: LogisticRegression(C=5, max_iter=300)),
        "sci.crypt": ("naive Bayes", lambda: MultinomialNB(alpha=0.02)),
        "talk.politics.guns": ("a linear model by log loss", lambda: SGDClassifier(loss="log_loss", random_state=0)),
        "misc.forsale": ("complement naive Bayes", ComplementNB),
    }
    for group, (kind, make) in kinds.items():
        target = groups.index(group)
        scores = _trained(make, seen, labels == target, unseen)
        yield f"Newsgroups, {group}, {kind}", (scores, (test_labels == target).astype(np.int64))


def comments() -> Iterator[tuple[str, Scores]]:
    """Toxic comments of natural prevalence: four labels, from common to rare."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import BernoulliNB, MultinomialNB

    texts, labels, natural = data.toxic()
    order = np.random.default_rng(12).permutation(np.flatnonzero(natural))
    train, test = order[:8000], order[8000:20_000]
    words = CountVectorizer(min_df=3, max_features=20_000)
    seen, unseen = words.fit_transform([texts[i] for i in train]), words.transform([texts[i] for i in test])
    kinds: dict[str, tuple[str, Callable[[], Any]]] = {
        "obscene": ("naive Bayes", MultinomialNB),
        "insult": ("naive Bayes of occurrence", BernoulliNB),
        "severe_toxic": ("logistic regression", lambda: LogisticRegression(C=0.1, max_iter=500)),
        "identity_hate": ("logistic regression", lambda: LogisticRegression(C=0.1, max_iter=500)),
    }
    for label, (kind, make) in kinds.items():
        column = data.TOXIC_LABELS.index(label)
        scores = _trained(make, seen, labels[train, column] == 1, unseen)
        yield f"Comments, {label}, {kind}", (scores, labels[test, column])


SOURCES = (digits, posts, comments)


def measure(runs: int, seed: int) -> list[dict[str, Any]]:
    """A row for each pool and budget."""
    rows = []
    for source in SOURCES:
        for title, (prob, labels) in source():
            case = cases.Case(title, title, fl.Pool(prob), known=labels)
            for budget in BUDGETS:
                rows.append(row(case, budget, runs, seed))
                print(rows[-1], flush=True)
    return rows


def row(case: cases.Case, budget: int, runs: int, seed: int) -> dict[str, Any]:
    """F1 on one pool: error of every way, coverage and mean width of ours and the paper's 90% interval."""
    assert case.known is not None
    truth = case.truth(case.known, "f1")
    found: dict[str, Any] = {"pool": case.title, "size": len(case.pool), "positives": int(case.known.sum())}
    found |= {"f1": truth, "budget": budget, "runs": runs}
    for way, (like, sampler) in WAYS.items():
        design = fl.design(case.pool, "f1", budget, sampler=sampler, like=like)
        answers = []
        for run in range(runs):
            sample = design.draw(seed + run)
            one = fl.estimate(sample, case.known[sample.index], "f1", like=like)
            answers.append((one.value if one.defined else 0.0, *one.interval(0.9)))
        value, low, high = np.array(answers).T
        found[way] = {
            "mse": float(np.mean((value - truth) ** 2)),
            "held": float(np.mean((low <= truth) & (truth <= high))),
            "width": float(np.mean(high - low)),
        }
    return found


def page(rows: list[dict[str, Any]]) -> str:
    """The rows as a page."""
    ratio = [row["ours"]["mse"] / row["paper"]["mse"] for row in rows]
    uniform = [row["uniform"]["mse"] / row["ours"]["mse"] for row in rows]
    held = {way: [row[way]["held"] for row in rows] for way in ("ours", "paper")}
    inside = {way: sum(0.88 <= share <= 0.94 for share in shares) for way, shares in held.items()}
    lines = [
        "# Pools that chose nothing",
        "",
        f"Made by `python -m experiments.held_out` ({rows[0]['runs']} repetitions; F1; 90% intervals). Classifiers and "
        "labels that had no part in choosing the constants of fewlabels, but for one: a rare decision of which the "
        "model is sure and wrong (identity_hate: 22 items called positive, 2 of them rightly) had nearly nine times "
        "the paper's squared error, and since then the rarer decision has a least worth of its own (`belief.RARE`), so "
        "that pool is no longer a check. Fourteen sets of calibration priors were also compared on all twelve, so that "
        "they check all of fewlabels but these.",
        "",
        f"Squared error of the defaults over the paper's sampler and estimator, geometric mean of {len(rows)} cells: "
        f"**{np.exp(np.mean(np.log(ratio))):.2f}** (best {min(ratio):.2f}, worst {max(ratio):.2f}). Uniform sampling "
        f"with as many draws has {np.exp(np.mean(np.log(uniform))):.1f} times the squared error of the defaults. Our "
        f"90% intervals hold {100 * np.mean(held['ours']):.1f}% on average (least {100 * min(held['ours']):.0f}, most "
        f"{100 * max(held['ours']):.0f}; {inside['ours']} of {len(rows)} cells in 88-94%), the paper's "
        f"{100 * np.mean(held['paper']):.1f}% (least {100 * min(held['paper']):.0f}; {inside['paper']} in 88-94%).",
        "",
        "| pool | N | positives | F1 | labels | squared error, ours / paper | ours holds | paper holds "
        "| width, ours / paper |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for row, share in zip(rows, ratio, strict=True):
        ours, paper = row["ours"], row["paper"]
        lines.append(
            f"| {row['pool']} | {row['size']:,} | {row['positives']:,} | {row['f1']:.2f} | {row['budget']:,} "
            f"| {share:.2f} | {100 * ours['held']:.0f}% | {100 * paper['held']:.0f}% "
            f"| {ours['width'] / paper['width']:.2f} |"
        )
    return "\n".join([*lines, ""])


def main() -> None:
    alone.main(__doc__, "held-out", measure, page)


if __name__ == "__main__":
    main()
