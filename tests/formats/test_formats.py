"""Every format: what goes out comes back, and what is wrong is told with its line."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fewlabels import formats
from fewlabels.errors import FewlabelsError
from fewlabels.formats import Task, Vocabulary
from fewlabels.votes import Vote, same

SUFFIX = {"csv": ".csv", "jsonl": ".jsonl", "label-studio": ".json", "prodigy": ".jsonl"}
BINARY = Vocabulary("binary", ("ham", "spam"), ("a1", "b2", "c3"))
MULTI = Vocabulary("multilabel", ("toxic", "insult"), ("a1", "b2", "c3"))
ANY = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=8)
PLAIN = ANY.map(str.strip).filter(lambda text: text and text != "skip")
CLASSES = st.lists(PLAIN, min_size=2, max_size=5, unique_by=lambda text: text.casefold().removesuffix(".0"))


@st.composite
def exchanges(draw):
    """A vocabulary and tasks with votes (some skipped, some several, some none)."""
    task = draw(st.sampled_from(["binary", "multiclass", "multilabel"]))
    classes = tuple(draw(CLASSES))
    classes = classes[:2] if task == "binary" else classes
    ids = draw(st.lists(PLAIN, min_size=1, max_size=5, unique=True))
    one = (
        st.lists(st.sampled_from(classes), unique=True).map(sorted)
        if task == "multilabel"
        else st.sampled_from(classes)
    )
    tasks = []
    for id in ids:
        given = draw(st.lists(st.tuples(st.none() | one, PLAIN), max_size=3))
        votes = tuple(Vote(id, value, who) for value, who in given)
        shown = {"text": draw(st.text(max_size=20).filter(lambda t: "\r" not in t and t.isprintable()))}
        tasks.append(Task(id, shown, votes, draw(one), draw(st.floats(0, 1))))
    return Vocabulary(task, classes, tuple(ids)), tasks


@pytest.mark.parametrize("format", formats.FORMATS)
@settings(max_examples=60, deadline=None)
@given(exchange=exchanges(), predictions=st.booleans())
def test_round_trips_are_lossless(format, exchange, predictions, tmp_path_factory):
    vocabulary, tasks = exchange
    path = tmp_path_factory.mktemp("out") / f"out{SUFFIX[format]}"
    formats.export(path, tasks, vocabulary, format, predictions)
    back = formats.read(path, vocabulary, format, labeller="nobody")
    wanted = [(vote.id, same(vote.value), vote.labeller) for task in tasks for vote in task.votes]
    assert [(vote.id, same(vote.value), vote.labeller) for vote in back] == wanted


@pytest.mark.parametrize("format", formats.FORMATS)
def test_tasks_stay_in_the_order_given_and_show_their_data(format, tmp_path):
    tasks = [Task(id, {"text": f"text of {id}", "url": None}) for id in ("c3", "a1", "b2")]
    path = tmp_path / f"out{SUFFIX[format]}"
    formats.export(path, tasks, BINARY, format)
    text = path.read_text()
    assert text.index("text of c3") < text.index("text of a1") < text.index("text of b2")
    assert formats.read(path, BINARY) == []


def problem(tmp_path, name, text, vocabulary=BINARY, **options):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FewlabelsError) as caught:
        formats.read(path, vocabulary, **options)
    return str(caught.value)


def test_unknown_ids_and_classes_are_told_with_line_and_near_match(tmp_path):
    said = problem(tmp_path, "l.csv", 'id,text,label\na1,"two\nlines",spam\nbb2,,ham\nc3,,spma\n')
    assert said == "l.csv, line 4: unknown id 'bb2'; did you mean 'b2'? (1 more such rows) Nothing was imported."
    said = problem(tmp_path, "l.csv", "id,label\na1,spma\n")
    assert said == "l.csv, line 2: unknown class 'spma'; did you mean 'spam'? Nothing was imported."
    said = problem(tmp_path, "l.jsonl", '{"id": "a1", "label": "spam"}\n\n{"id": "b2", "label": "zzz"}\n')
    assert said == "l.jsonl, line 3: unknown class 'zzz'; the classes are ham, spam. Nothing was imported."


def test_missing_columns_are_told_with_near_match(tmp_path):
    assert "line 1: there is no 'label' column; did you mean 'labels'?" in problem(
        tmp_path, "l.csv", "id,labels\na1,1\n"
    )
    assert "line 1: there is no 'id' column" in problem(tmp_path, "l.csv", "item,label\na1,1\n")
    assert "line 1: there is no 'label:toxic' column" in problem(tmp_path, "l.csv", "id,label:insult\na1,1\n", MULTI)
    assert "line 2: there is no 'label' column" in problem(
        tmp_path, "l.jsonl", '{"id": "a1", "label": 1}\n{"id": "b2"}\n'
    )


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("l.csv", "id,label\n,spam\n", "line 2: the id is missing"),
        ("l.csv", 'id,label\na1,"spam\n', "line 2: unexpected end of data"),
        ("l.csv", "", "line 1: there is no 'id' column; it has nothing."),
        ("l.jsonl", '{"id": "a1", "label": "ham"}\n{"id"\n', "line 2: this is not JSON"),
        ("l.jsonl", "[1]\n", "line 1: an object is expected"),
        ("l.jsonl", '{"id": "a1", "label": ["ham", "spam"]}\n', "line 1: one class is wanted, found 2 (ham, spam)"),
        ("l.json", '{"a": 1}', "line 1: a list of tasks is expected"),
        (
            "l.json",
            '[\n{"data": {"text": "x"}, "annotations": [{"result": []}]}]',
            "line 2: the task has no fewlabels_id",
        ),
        ("l.json", '[\n{"data": {"fewlabels_id": "a1"}},\n', "the file is cut off"),
        ("l.json", '[\n{"data": ', "line 2: this is not JSON"),
        ("l.jsonl", '{"text": "x", "answer": "accept"}\n', "line 1: there is no meta.fewlabels_id"),
    ],
)
def test_bad_files_are_told_in_one_sentence(tmp_path, name, text, says):
    said = problem(tmp_path, name, text)
    assert says in said
    assert said.endswith("Nothing was imported.")
    assert "\n" not in said


def test_half_filled_multilabel_rows_are_refused(tmp_path):
    said = problem(tmp_path, "l.csv", "id,label:toxic,label:insult\na1,1,0\nb2,1,\n", MULTI)
    assert "line 3: a multi-label item needs a list of classes, found 'label:insult = empty'" in said


def test_unknown_formats_files_and_encodings(tmp_path):
    assert "there is no format 'xls'" in problem(tmp_path, "l.csv", "", format="xls")
    assert "cannot tell the format" in problem(tmp_path, "l.xls", "")
    with pytest.raises(FewlabelsError, match=r"cannot read .*No such file"):
        formats.read(tmp_path / "none.csv", BINARY)
    with pytest.raises(FewlabelsError, match="no folder"):
        formats.export(tmp_path / "no" / "l.csv", [], BINARY)
    (tmp_path / "latin.csv").write_bytes("id,label\na1,größer\n".encode("latin-1"))
    with pytest.raises(FewlabelsError, match="not UTF-8 text"):
        formats.read(tmp_path / "latin.csv", BINARY)


def test_what_spreadsheets_and_people_write(tmp_path):
    path = tmp_path / "l.csv"
    path.write_text("﻿id;label;labeller\r\na1; SPAM ;\r\nb2;0.0;ann\r\n;;\r\nc3;yes;\r\n", encoding="utf-8")
    back = formats.read(path, BINARY, labeller="me")
    assert [(vote.id, vote.value, vote.labeller, vote.line) for vote in back] == [
        ("a1", "spam", "me", 2),
        ("b2", "ham", "ann", 3),
        ("c3", "spam", "me", 5),
    ]
    path.write_text("id,label,verdict\na1,,spam\n")
    assert [vote.value for vote in formats.read(path, BINARY, column="verdict")] == ["spam"]


def test_json_labels_of_any_type(tmp_path):
    path = tmp_path / "l.jsonl"
    vocabulary = Vocabulary("binary", ("0", "1"), ("1", "2", "3"))
    path.write_text('{"id": 1, "label": true}\n{"id": 2, "label": 0}\n{"id": 3, "label": 1.0}\n')
    assert [(vote.id, vote.value) for vote in formats.read(path, vocabulary)] == [("1", "1"), ("2", "0"), ("3", "1")]


def test_prodigy_binary_view_and_ignored(tmp_path):
    meta = [{"meta": {"fewlabels_id": id}, "label": "spam", "_session_id": "news-ann"} for id in BINARY.ids]
    rows = [{**row, "answer": answer} for row, answer in zip(meta, ("accept", "reject", "ignore"), strict=True)]
    (tmp_path / "p.jsonl").write_text("\n".join(map(json.dumps, rows)))
    back = formats.read(tmp_path / "p.jsonl", BINARY)
    assert [(vote.id, vote.value, vote.labeller) for vote in back] == [
        ("a1", "spam", "news-ann"),
        ("b2", "ham", "news-ann"),
        ("c3", None, "news-ann"),
    ]


REAL = Path(__file__).parent / "label_studio"
IDS = tuple(f"m-{n:03}" for n in range(12))


@pytest.mark.parametrize("kind", ["json", "min.json"])
def test_a_real_label_studio_export(kind):
    back = formats.read(REAL / f"binary.{kind}", Vocabulary("binary", ("ham", "spam"), IDS))
    said = [(vote.id, vote.value) for vote in back]
    assert {vote.labeller for vote in back} == {"annotator 1"}
    assert sorted(value for id, value in said if id == "m-006") == ["ham", "spam"]
    assert ("m-002", "spam") in said
    assert "m-011" not in dict(said)
    if kind == "json":
        assert ("m-004", None) in said
        assert len(said) == 12
    else:  # JSON-MIN leaves cancelled annotations out
        assert len(said) == 11


@pytest.mark.parametrize("kind", ["json", "min.json"])
def test_a_real_multilabel_export(kind):
    vocabulary = Vocabulary("multilabel", ("toxic", "insult", "threat"), IDS)
    said = {vote.id: vote.value for vote in formats.read(REAL / f"multilabel.{kind}", vocabulary)}
    assert said["m-002"] == ["insult", "toxic"]
    assert said["m-001"] == []
    assert "m-011" not in said
    assert said.get("m-004") is None
