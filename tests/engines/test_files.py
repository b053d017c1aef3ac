"""Scores are read from wherever people have them."""

import contextlib
import email.utils
import json
import re
import sys
import threading
import types
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from fewlabels.engines import files, scores
from fewlabels.engines.scores import Columns
from fewlabels.errors import FewlabelsError

TABLE = pl.DataFrame({"id": ["a", "b", "c"], "score": [0.1, 0.9, 0.4], "text": ["x", "y", "z"], "pages": [1, 2, 3]})
WRITERS = {"parquet": "write_parquet", "csv": "write_csv", "jsonl": "write_ndjson", "arrow": "write_ipc"}
PRINT = scores.load(TABLE).pool.fingerprint


@pytest.mark.parametrize("ending", WRITERS)
def test_files_and_globs(ending, tmp_path):
    for name, part in (("one", TABLE), ("part-0", TABLE[:1]), ("part-1", TABLE[1:])):
        getattr(part, WRITERS[ending])(tmp_path / f"{name}.{ending}")
    for source in (tmp_path / f"one.{ending}", f"{tmp_path}/part-*.{ending}"):
        found = scores.load(source)
        assert found.pool.fingerprint == PRINT
        assert found.data(["c", "a"]) == [{"text": "z"}, {"text": "x"}]


@pytest.mark.parametrize("make", [lambda t: t, pl.DataFrame.lazy, pl.DataFrame.to_pandas, pl.DataFrame.to_arrow])
def test_tables_of_every_library(make):
    found = scores.load(make(TABLE))
    assert found.pool.fingerprint == PRINT
    assert found.source is None


def test_tabs_and_row_numbers(tmp_path):
    TABLE.drop("id").write_csv(tmp_path / "s.tsv", separator="\t")
    found = scores.load(tmp_path / "s.tsv")
    assert found.pool.ids.tolist() == [0, 1, 2]
    assert found.data([2]) == [{"text": "z"}]


def test_columns_are_guessed_or_said():
    several = pl.DataFrame({"key": [1, 2], "prob_cat": [0.2, 0.7], "prob_dog": [0.8, 0.3], "body": ["m", "n"]})
    found = scores.load(several)
    assert (found.pool.task, found.pool.classes) == ("multiclass", ("cat", "dog"))
    assert (found.columns.ids, found.columns.show) == ("key", ("body",))
    said = Columns(prob=("prob_dog",), ids="key", classes=("no", "yes"), threshold=0.25, show=())
    found = scores.load(several, said)
    assert (found.pool.task, found.pool.decisions.tolist(), found.columns.show) == ("binary", [True, True], ())
    assert Columns.from_state(json.loads(json.dumps(found.columns.to_state()))) == found.columns
    loose = scores.load(several.with_columns(prob_dog=pl.lit(0.9)))
    assert loose.pool.task == "multilabel"
    decided = scores.load(TABLE.with_columns(pred=pl.Series([1, 0, 1])))
    assert decided.pool.decisions.tolist() == [True, False, True]


@pytest.mark.parametrize(
    ("source", "columns", "says"),
    [
        (TABLE.drop("score"), Columns(), "cannot tell which column holds the model's probability"),
        (TABLE, Columns(prob=("socre",)), "there is no probability column 'socre'; did you mean 'score'?"),
        (TABLE, Columns(ids="ids"), "there is no id column 'ids'; did you mean 'id'?"),
        (TABLE, Columns(show=("txt",)), "there is no shown column 'txt'; did you mean 'text'?"),
        (TABLE.with_columns(score=1.2), Columns(), "outside [0, 1]"),
        (TABLE.with_columns(id=pl.lit("a")), Columns(), "ids repeat"),
        (object(), Columns(), "a object cannot be read as a table"),
        ("scores.xlsx", Columns(), "there is no file scores.xlsx"),
    ],
)
def test_what_is_wrong_is_said(source, columns, says):
    with pytest.raises(FewlabelsError, match=re.escape(says)):
        scores.load(source, columns)


def test_damaged_files_and_strange_endings(tmp_path):
    (tmp_path / "broken.parquet").write_bytes(b"not a parquet file at all")
    (tmp_path / "scores.doc").write_text("id,score\n")
    for name, says in (("broken.parquet", "cannot read"), ("scores.doc", "cannot tell the format")):
        with pytest.raises(FewlabelsError, match=says):
            scores.load(tmp_path / name)


def test_a_dataset_is_asked_for_its_rows_not_for_its_table():
    """Hugging Face's ``.data`` ignores filters; only ``with_format("arrow").iter`` gives what the user sees."""

    class Dataset:
        features = ("id", "score", "text")

        def with_format(self, name):
            assert name == "arrow"
            return self

        def iter(self, batch_size):
            table = pa.table(TABLE)
            yield table.slice(0, 2)
            yield table.slice(2)

    assert scores.load(Dataset()).pool.fingerprint == PRINT


def test_a_saved_dataset_needs_its_library(tmp_path, monkeypatch):
    (tmp_path / "dataset_info.json").write_text("{}")
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(FewlabelsError, match="pip install datasets"):
        scores.load(tmp_path)
    fake = types.SimpleNamespace(load_from_disk=lambda folder: pd.DataFrame(TABLE.to_dict(as_series=False)))
    monkeypatch.setitem(sys.modules, "datasets", fake)
    assert scores.load(tmp_path).pool.fingerprint == PRINT


class Store(BaseHTTPRequestHandler):
    """As much of S3 and of Google Cloud Storage as reading an object takes."""

    objects: dict[str, bytes] = {}  # noqa: RUF012

    def do_HEAD(self):
        self.do_GET()

    def do_GET(self):
        body = self.objects.get(urllib.parse.unquote(self.path.split("?")[0]))
        span = re.match(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        self.send_response(404 if body is None else 206 if span else 200)
        whole = len(body or b"")
        if body is not None and span:
            start, end = int(span[1]), min(int(span[2] or whole - 1), whole - 1)
            body = body[start : end + 1]
            self.send_header("Content-Range", f"bytes {start}-{end}/{whole}")
        self.send_header("Content-Length", str(len(body or b"")))
        self.send_header("Last-Modified", email.utils.formatdate(0, usegmt=True))
        self.send_header("ETag", '"1"')
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body or b"")

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def serving(objects):
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Here", (Store,), {"objects": objects}))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.parametrize("scheme", ["s3", "gs"])
def test_urls_of_object_stores(scheme, tmp_path, monkeypatch):
    TABLE.write_parquet(tmp_path / "s.parquet")
    with serving({"/bucket/s.parquet": (tmp_path / "s.parquet").read_bytes()}) as address:
        key = {
            "gcs_base_url": address,
            "disable_oauth": True,
            "client_email": "",
            "private_key": "",
            "private_key_id": "",
        }
        for name, value in {
            "AWS_ENDPOINT_URL": address,
            "AWS_ALLOW_HTTP": "true",
            "AWS_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": "x",
            "AWS_SECRET_ACCESS_KEY": "x",
            "GOOGLE_SERVICE_ACCOUNT_KEY": json.dumps(key),
        }.items():
            monkeypatch.setenv(name, value)
        with pl.Config() as settings:
            settings.set_default_credential_provider(None)  # the key above, not the machine's owner
            found = scores.load(f"{scheme}://bucket/s.parquet")
            assert found.pool.fingerprint == PRINT
            assert found.data(["b"]) == [{"text": "y"}]
            with pytest.raises(FewlabelsError, match="cannot read"):
                files.scan(f"{scheme}://bucket/none.parquet")
