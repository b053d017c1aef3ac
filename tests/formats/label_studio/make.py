"""Makes the exports in this folder by running through a real Label Studio; see README.md beside it.

python make.py http://127.0.0.1:8080 <token>
"""

import json
import sys
import tempfile
import urllib.request
from pathlib import Path

from fewlabels.formats import Task, Vocabulary, label_studio

HERE = Path(__file__).parent
BINARY = Vocabulary("binary", ("ham", "spam"))
SEVERAL = Vocabulary("multilabel", ("toxic", "insult", "threat"))
TEXTS = [
    "Win a prize now",
    "Lunch at noon?",
    "Ihre Rechnung, größte Rabatte",
    "Re: minutes",
    'He said "call me"',
    "last\nreminder",
    "50% off",
    "see you",
    "account locked",
    "thanks",
    "naïve café",
    "fin",
]


def main(host: str, token: str) -> None:
    def call(method: str, path: str, body: object = None) -> object:
        head = {"Authorization": f"Token {token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(host + path, data, head, method=method)
        with urllib.request.urlopen(request) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    answers = [["spam"], ["ham"], ["spam"], ["ham"], None, ["ham"], ["spam"], ["ham"], ["spam"], ["ham"], ["ham"], ()]
    run(call, "binary", BINARY, answers, second={6: ["ham"]})
    answers = [["toxic"], [], ["toxic", "insult"], ["threat"], None, [], ["insult"], [], ["toxic"], [], [], ()]
    run(call, "multilabel", SEVERAL, answers, second={})


def run(call, name, vocabulary, answers, second) -> None:
    """One project: import our tasks, annotate (None: cancel; (): leave alone), export in both kinds."""
    project = call("POST", "/api/projects/", {"title": name, "label_config": label_studio.config(vocabulary)})["id"]
    first = vocabulary.classes[-1:] if vocabulary.task == "multilabel" else vocabulary.classes[-1]
    tasks = [
        Task(f"m-{n:03}", {"text": text}, prediction=list(first) if isinstance(first, tuple) else first, score=0.75)
        for n, text in enumerate(TEXTS)
    ]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tasks.json"
        label_studio.write(file, tasks, vocabulary, predictions=True)
        call("POST", f"/api/projects/{project}/import", json.loads(file.read_text()))
    listed = call("GET", f"/api/tasks?project={project}&page_size=100&fields=all")["tasks"]
    for task in listed:
        n = int(task["data"][label_studio.KEY][2:])
        for answer in (answers[n], *([second[n]] if n in second else [])):
            if answer != ():
                result = label_studio._result(answer) if answer else []
                body = {"result": result, "was_cancelled": answer is None, "lead_time": 1.5}
                call("POST", f"/api/tasks/{task['id']}/annotations/", body)
    for kind, ending in (("JSON", "json"), ("JSON_MIN", "min.json")):
        export = call("GET", f"/api/projects/{project}/export?exportType={kind}&download_all_tasks=true")
        target = HERE / f"{name}.{ending}"
        target.write_text(json.dumps(export, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/"), sys.argv[2])
