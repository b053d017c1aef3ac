"""The commands: each parses, calls workflow and prints. Heavy imports wait until a command runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from fewlabels.errors import FewlabelsError

from . import options


class InOrder(click.Group):
    """Commands in the order in which they are used, not of the alphabet."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


@click.group(cls=InOrder, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="fewlabels", prog_name="fewlabels")
@click.option("--debug", is_flag=True, help="Show where an error came from.")
def cli(debug: bool) -> None:
    """How good is your classifier? An honest answer from a few labels.

    \b
    fewlabels plan scores.parquet --prob score --metric f1            how many labels?
    fewlabels draw scores.parquet --metric f1 --budget 300 -o study.db
    fewlabels export study.db tasks.csv                               label it, anywhere
    fewlabels import study.db tasks.csv
    fewlabels estimate study.db --metric f1,precision,recall
    fewlabels report study.db -o report.html
    """


@cli.command()
@click.argument("scores")
@options.columns_options
@options.metric_option("f1")
@options.level_option(0.95)
@click.option("--widths", default="0.05,0.03,0.02,0.01", show_default=True, help="Half-widths to plan for.")
@click.option("--plot", type=click.Path(path_type=Path), help="Draw the curve into this file (png, svg, pdf).")
@options.json_option
def plan(
    scores: str, metrics: list[str], level: float, widths: str, plot: Path | None, as_json: bool, **told: Any
) -> None:
    """How many labels does the answer need? Before any label exists.

    \b
    fewlabels plan scores.parquet --prob score --metric f1 --plot plan.png
    """
    from fewlabels import workflow

    from . import terminal

    try:
        wanted = [float(width) for width in widths.split(",")]
    except ValueError as error:
        raise FewlabelsError(
            f"half-widths are numbers with commas between, such as 0.05,0.02; got {widths!r}."
        ) from error
    with terminal.progress() as say:
        found = workflow.plan(scores, metrics, columns=options.columns(told), widths=wanted, level=level, say=say)
        if plot:
            from fewlabels.report import plots

            plots.save(plots.planned(found), plot)
    terminal.show_json(found) if as_json else terminal.show(terminal.plan(found))
    terminal.notes(found["warnings"])


@cli.command()
@click.argument("scores")
@options.columns_options
@options.metric_option("f1")
@click.option("--budget", type=click.IntRange(min=1), help="How many items to label.")
@options.width_option
@options.level_option(0.95)
@click.option("-o", "--output", "study", type=options.STUDY, required=True, help="The study file to make.")
@options.sampler_option
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed draws the same items.")
@click.option("--overwrite", is_flag=True, help="Replace an existing study file, labels and all.")
@options.json_option
def draw(
    scores: str,
    metrics: list[str],
    budget: int | None,
    half_width: float | None,
    level: float,
    study: Path,
    sampler: str,
    seed: int,
    overwrite: bool,
    as_json: bool,
    **told: Any,
) -> None:
    """Draw the items to label and store them, with everything that made them.

    \b
    fewlabels draw scores.parquet --metric f1 --budget 300 -o study.db
    fewlabels draw scores.parquet --metric f1 --half-width 0.03 -o study.db
    """
    from fewlabels import workflow

    from . import terminal

    with terminal.progress() as say:
        found = workflow.draw(
            scores,
            study,
            metrics,
            budget=budget,
            half_width=half_width,
            level=level,
            columns=options.columns(told),
            sampler=sampler,
            seed=seed,
            overwrite=overwrite,
            say=say,
        )
    terminal.show_json(found) if as_json else terminal.show(terminal.status(found))
    terminal.notes(found["warnings"])


@cli.command()
@click.argument("study", type=options.STUDY)
@click.option("--budget", type=click.IntRange(min=1), required=True, help="How many items in all.")
@click.option("--pool", help="The scores, if they are no longer where they were.")
@options.json_option
def extend(study: Path, budget: int, pool: str | None, as_json: bool) -> None:
    """Grow the sample; only the missing items are added, nothing labelled is lost.

    \b
    fewlabels extend study.db --budget 500
    """
    from fewlabels import workflow

    from . import terminal

    with terminal.progress() as say:
        found = workflow.extend(study, budget, source=pool, say=say)
    terminal.show_json(found) if as_json else terminal.show(terminal.status(found))


@cli.command(name="next")
@click.argument("study", type=options.STUDY)
@click.option("--batch", type=click.IntRange(min=1), required=True, help="How many new items.")
@click.option("--pool", help="The scores, if they are no longer where they were.")
@options.json_option
def next_(study: Path, batch: int, pool: str | None, as_json: bool) -> None:
    """Draw a further round that uses the labels so far to choose better.

    \b
    fewlabels next study.db --batch 100
    """
    from fewlabels import workflow

    from . import terminal

    with terminal.progress() as say:
        found = workflow.next_round(study, batch, source=pool, say=say)
    terminal.show_json(found) if as_json else terminal.show(terminal.status(found))


@cli.command()
@click.argument("study", type=options.STUDY)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--format", type=click.Choice(["csv", "jsonl", "label-studio", "prodigy"]), help="[by the ending]")
@click.option("--what", type=click.Choice(["todo", "all", "labelled"]), default="todo", show_default=True)
@click.option("--predictions/--no-predictions", default=None, help="What the model says. [only for Label Studio]")
@click.option("--interface", type=click.Path(path_type=Path), help="Write Label Studio's labelling interface here.")
@options.json_option
def export(study: Path, file: Path, what: Any, as_json: bool, **told: Any) -> None:
    """Write the items for labelling, in random order: a labeller who stops early does no harm.

    Seeing the model's prediction sways people; --no-predictions keeps it from them.

    \b
    fewlabels export study.db tasks.csv
    fewlabels export study.db tasks.json --interface interface.xml        Label Studio
    fewlabels export study.db tasks.jsonl --format prodigy
    """
    from fewlabels import workflow

    from . import terminal

    found = workflow.export(study, file, which=what, **told)
    said = f"{found['tasks']:,} items in {found['file']} ({found['format']})."
    terminal.show_json(found) if as_json else terminal.show(said)


@cli.command(name="import")
@click.argument("study", type=options.STUDY)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--format", type=click.Choice(["csv", "jsonl", "label-studio", "prodigy"]), help="[by the ending]")
@click.option(
    "--on-conflict",
    type=click.Choice(["refuse", "votes", "replace"]),
    default="refuse",
    show_default=True,
    help="Contradicting labels: refuse the file, keep all as votes, or correct the same labeller's.",
)
@click.option("--labeller", default="import", show_default=True, help="Who labelled, where the file does not say.")
@click.option("--column", help="The column or field that holds the label. [label]")
@options.json_option
def import_(
    study: Path, file: Path, format: str | None, on_conflict: Any, labeller: str, column: str | None, as_json: bool
) -> None:
    """Read labels back: the whole file or nothing; a second time changes nothing.

    \b
    fewlabels import study.db tasks.csv
    fewlabels import study.db label-studio-export.json --on-conflict votes
    """
    from fewlabels import workflow
    from fewlabels.report import words

    from . import terminal

    found = workflow.import_labels(study, file, format=format, conflict=on_conflict, labeller=labeller, column=column)
    told = f"{found['added']:,} labels added, {found['unchanged']:,} known already. {words.labelled(found)}"
    terminal.show_json(found) if as_json else terminal.show(told)
    terminal.notes([f"contradiction: {one}" for one in found["conflicts"]])


@cli.command()
@click.argument("study", type=options.STUDY)
@options.metric_option(None)
@options.level_option(None)
@options.width_option
@options.votes_option
@click.option("--watch", is_flag=True, help="Refresh until everything is labelled or you press ctrl-c.")
@click.option("--every", type=float, default=2.0, show_default=True, help="Seconds between looks with --watch.")
@options.json_option
def estimate(study: Path, watch: bool, every: float, as_json: bool, **asked: Any) -> None:
    """The answer from the labels so far: value, interval, and what more labels would bring.

    \b
    fewlabels estimate study.db --metric f1,precision,recall,accuracy --level 0.95
    """
    from fewlabels import workflow

    from . import terminal, watching

    if watch:
        watching.watch(study, every, as_json, **asked)
        return
    found = workflow.estimate(study, **asked)
    terminal.show_json(found) if as_json else terminal.show(terminal.estimates(found))
    terminal.notes([*found["notes"], *(note for row in found["estimates"] for note in row["notes"])])


@cli.command()
@click.argument("study", type=options.STUDY)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="report.html, .md, .json or .txt.")
@click.option("--plots", "folder", type=click.Path(path_type=Path, file_okay=False), help="A PNG of each plot, here.")
@click.option("--mlflow", is_flag=True, help="Log values, bounds and the page to MLflow.")
@click.option("--mlflow-run", default=None, help="Continue this MLflow run.")
@options.metric_option(None)
@options.level_option(None)
@options.width_option
@options.votes_option
def report(
    study: Path, output: Path | None, folder: Path | None, mlflow: bool, mlflow_run: str | None, **asked: Any
) -> None:
    """One self-contained page: estimates, how they narrowed, confusion, calibration, how it was made.

    \b
    fewlabels report study.db -o report.html
    fewlabels report study.db -o report.md --plots figures
    fewlabels report study.db --mlflow
    """
    from fewlabels import workflow
    from fewlabels.report import output as write

    from . import terminal

    with terminal.progress() as say:
        found = workflow.report(study, say=say, **asked)
        say("drawing", None)
        made = write.everything(found, output, folder)
        if mlflow:
            from fewlabels.report import tracking

            made.append(f"MLflow run {tracking.log(found, run_id=mlflow_run)}")
    if made:
        terminal.show("\n".join(made))
    else:
        terminal.show(write.text(found))
    terminal.notes(found["notes"])


@cli.command()
@click.argument("study", type=options.STUDY)
@options.json_option
def status(study: Path, as_json: bool) -> None:
    """Where a study stands: rounds, labels, labellers.

    \b
    fewlabels status study.db
    """
    from fewlabels import workflow

    from . import terminal

    found = workflow.status(study)
    terminal.show_json(found) if as_json else terminal.show(terminal.status(found))


@cli.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the script that completes commands and options in your shell.

    \b
    eval "$(fewlabels completion bash)"      in ~/.bashrc
    eval "$(fewlabels completion zsh)"       in ~/.zshrc
    fewlabels completion fish > ~/.config/fish/completions/fewlabels.fish
    """
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    assert found is not None  # the choice above holds only what click knows
    click.echo(found(cli, {}, "fewlabels", "_FEWLABELS_COMPLETE").source())
