"""The paper's three classifiers, trained on the real data; each gives the scores and labels of a test pool.

What the paper leaves open is fixed here and said in each ``note``, which the page of results prints.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import data

PER_CLASS = 1120
EPOCHS = 5
HIDDEN = (64, 32)
TOXIC_TEST, TOXIC_POSITIVES = 600, 125
GROUP = "comp.graphics"


@dataclass(frozen=True)
class Scored:
    """A pool as a classifier leaves it: probabilities, true labels, class names, how it was made, given decisions."""

    task: str
    prob: NDArray[np.float64]
    labels: NDArray[np.int64]
    classes: tuple[str, ...]
    note: str
    decisions: NDArray[np.int64] | None = None


def mnist8(seed: int = 0) -> Scored:
    """Is it an 8? A network of three layers of weights; 1,120 test images a digit."""
    from sklearn.neural_network import MLPClassifier

    images, digits = data.mnist()
    test = np.sort(np.concatenate([np.flatnonzero(digits == digit)[:PER_CLASS] for digit in range(10)]))
    rest = np.setdiff1d(np.arange(len(digits)), test)
    model = MLPClassifier(HIDDEN, random_state=seed)
    for _ in range(EPOCHS):
        model.partial_fit(images[rest], digits[rest] == 8, classes=[False, True])
    note = (
        f"{len(test):,} images, {PER_CLASS:,} of each digit: the official test split, topped up with training images "
        "of the digits that have fewer, which were kept out of training. Multilayer perceptron "
        f"784-{HIDDEN[0]}-{HIDDEN[1]}-1 (scikit-learn), {EPOCHS} passes over the other {len(rest):,} images."
    )
    return Scored(
        "binary", model.predict_proba(images[test])[:, 1], (digits[test] == 8).astype(int), ("not 8", "8"), note
    )


@dataclass(frozen=True)
class _Posts:
    """Word counts of the training and the test posts, their groups, and which of the words are no stop words."""

    seen: Any
    unseen: Any
    labels: NDArray[np.int64]
    test_labels: NDArray[np.int64]
    groups: tuple[str, ...]
    kept: NDArray[np.int64]


@cache
def _posts() -> _Posts:
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, CountVectorizer

    texts, labels, groups = data.newsgroups("train")
    test_texts, test_labels, _ = data.newsgroups("test")
    words = CountVectorizer()
    seen, unseen = words.fit_transform(texts), words.transform(test_texts)
    kept = np.flatnonzero(~np.isin(words.get_feature_names_out(), list(ENGLISH_STOP_WORDS)))
    return _Posts(seen, unseen, labels, test_labels, groups, kept)


@cache
def _without_stop_words() -> tuple[Any, Any]:
    return _posts().seen[:, _posts().kept], _posts().unseen[:, _posts().kept]


def newsgroups20() -> Scored:
    """All twenty groups: multinomial naive Bayes on tf-idf, scikit-learn's own tutorial."""
    from sklearn.feature_extraction.text import TfidfTransformer
    from sklearn.naive_bayes import MultinomialNB
    from sklearn.pipeline import make_pipeline

    posts = _posts()
    labels, test_labels = posts.labels, posts.test_labels
    model = make_pipeline(TfidfTransformer(), MultinomialNB()).fit(posts.seen, labels)
    note = (
        f"{len(test_labels):,} posts of the by-date test split in 20 groups; multinomial naive Bayes on default tf-idf "
        f"features, trained on the {len(labels):,} posts of the training split. The paper writes of a test set of "
        f"11,313, which is the size of the training set less one; the by-date split has {len(test_labels):,}."
    )
    return Scored("multiclass", model.predict_proba(posts.unseen), test_labels, posts.groups, note)


def newsgroups_binary(group: str = GROUP) -> Scored:
    """One group against the rest: the group's own naive Bayes of two classes."""
    from sklearn.naive_bayes import MultinomialNB

    seen, unseen = _without_stop_words()
    labels, test_labels = _posts().labels, _posts().test_labels
    target = _posts().groups.index(group)
    model = MultinomialNB().fit(seen, labels == target)
    note = (
        f"{len(test_labels):,} posts of the by-date test split, `{group}` against the other 19 groups; multinomial "
        f"naive Bayes of two classes on word counts without stop words, trained on the {len(labels):,} posts of the "
        "training split."
    )
    prob = model.predict_proba(unseen)[:, 1]
    return Scored("binary", prob, (test_labels == target).astype(int), ("rest", group), note)


def toxic6(seed: int = 0) -> Scored:
    """Six labels a comment, a naive Bayes for each; 600 comments with 125 positives among 3,600."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.naive_bayes import MultinomialNB

    texts, labels, natural = data.toxic()
    pool = np.flatnonzero(natural)
    rng = np.random.default_rng(seed)
    test = rng.choice(pool, TOXIC_TEST, replace=False)
    while labels[test].sum() != TOXIC_POSITIVES:
        test = rng.choice(pool, TOXIC_TEST, replace=False)
    train = np.setdiff1d(pool, test)
    words = CountVectorizer(stop_words="english", max_features=20_000)
    seen, unseen = words.fit_transform([texts[i] for i in train]), words.transform([texts[i] for i in test])
    prob = np.column_stack(
        [MultinomialNB().fit(seen, labels[train, k]).predict_proba(unseen)[:, 1] for k in range(labels.shape[1])]
    )
    note = (
        f"{TOXIC_TEST} comments drawn from the part with natural prevalence, drawn again until {TOXIC_POSITIVES} of "
        f"the {TOXIC_TEST * 6:,} labels are positive; six multinomial naive Bayes classifiers on counts of the 20,000 "
        f"commonest words, trained on the other {len(train):,} comments of that part."
    )
    return Scored("multilabel", prob, labels[test], data.TOXIC_LABELS, note)


def ready(name: str, task: str, note: str) -> Scored:
    """A ready-made pool of the data folder: columns prob and label, or prob_<class> and label or label_<class>."""
    import polars as pl

    path = data.local("pools", f"{name}.parquet")
    if path is None:
        raise data.DataAbsentError(data.absent(f"the pool {name}", f"pools/{name}.parquet"))
    table = pl.read_parquet(path)
    if task == "binary":
        decided = table["pred"].to_numpy().astype(int) if "pred" in table.columns else None
        return Scored(task, table["prob"].to_numpy(), table["label"].to_numpy().astype(int), ("0", "1"), note, decided)
    names = tuple(column.removeprefix("prob_") for column in table.columns if column.startswith("prob_"))
    prob = table.select([f"prob_{name}" for name in names]).to_numpy()
    labels = table.select([f"label_{name}" for name in names]) if task == "multilabel" else table["label"]
    return Scored(task, prob, labels.to_numpy().astype(int), names, note)


READY = {
    "er_abt_buy_svm": ("binary", "pairs of products that may be the same (entity resolution), SVM scores"),
    "tweets100k_svm": ("binary", "tweets, positive or negative, SVM scores"),
    "ppi_galaxies": ("binary", "images of galaxies, spiral or not"),
    "mulan_yeast_lr": ("multilabel", "yeast genes with 14 functions each, logistic regression"),
    "cifar10_vgg16": ("multiclass", "CIFAR-10 photographs, VGG-16"),
}

MAKERS: dict[str, Callable[[], Scored]] = {
    "mnist8": mnist8,
    "newsgroups_binary": newsgroups_binary,
    "newsgroups20": newsgroups20,
    "toxic6": toxic6,
} | {name: partial(ready, name, *about) for name, about in READY.items()}
