"""`python -m benchmarks.peers`: run what is missing, write results.json, then the table and the pictures from it."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from experiments import marks

from . import contest, picture, table
from .findings import OURS
from .pools import cases
from .roster import PEERS

HERE = Path(__file__).resolve().parent
DOCS = HERE.parents[1] / "docs"
METRICS = ("f1", "accuracy", "precision", "recall")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    parser.add_argument("--repetitions", type=int, default=500, help="for each cell, where a peer is fast enough")
    parser.add_argument("--budgets", type=int, nargs="+", default=[100, 300, 1000], help="distinct labels")
    parser.add_argument("--metrics", nargs="+", default=METRICS, choices=METRICS)
    parser.add_argument(
        "--peers", nargs="+", default=[peer.key for peer in PEERS], metavar="KEY", help="besides fewlabels"
    )
    parser.add_argument("--pools", nargs="+", default=None, metavar="NAME")
    parser.add_argument("--results", type=Path, default=HERE / "results.json")
    parser.add_argument("--docs", type=Path, default=DOCS, help="where peers.md and figures/ go")
    parser.add_argument("--finished", action="store_true", help="run nothing, gather the cells that are there")
    parser.add_argument("--report-only", action="store_true", help="write table and pictures from results.json")
    return parser.parse_args()


def main() -> None:
    chosen = arguments()
    if not chosen.report_only:
        peers = [peer for peer in PEERS if peer.key in (*chosen.peers, OURS)]
        pools = [case for case in cases() if chosen.pools is None or case.name in chosen.pools]
        if (HERE / "results.json").exists():
            contest.restore(json.loads((HERE / "results.json").read_text()))
        results = contest.run(peers, pools, chosen.metrics, chosen.budgets, chosen.repetitions, chosen.finished)
        results["again"] = contest.again(results, peers, pools, chosen.finished)
        chosen.results.write_text(json.dumps(results, indent=1) + "\n")
    results = json.loads(chosen.results.read_text())
    if len({pool["simulated"] for pool in results["pools"]}) < 2:
        print(
            f"{chosen.results} is written; the page compares real pools with simulated ones, and one kind is missing."
        )
        return
    if "f1" not in results["settings"]["metrics"]:
        print(f"{chosen.results} is written; the page is about F1 first, which was not asked for.")
        return
    (chosen.docs / "figures").mkdir(parents=True, exist_ok=True)
    (chosen.docs / "peers.md").write_text(table.page(results))
    summary = chosen.docs / "results.md"
    if summary.is_file():
        summary.write_text(marks.filled(summary.read_text(), {"contest": table.glance(results)}))
    picture.labels(results, chosen.docs / "figures" / "peers.png")
    picture.curves(results, chosen.docs / "figures" / "peers-curves.png")
    picture.intervals(results, chosen.docs / "figures" / "peers-intervals.png")


if __name__ == "__main__":
    main()
