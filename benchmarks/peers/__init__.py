"""A contest with every peer that could be made to run, on equal numbers of distinct labels.

`benchmarks/peers/run` makes the environment and runs it; `python -m benchmarks.peers` inside that environment
does the rest. A new peer is one entry in `roster.PEERS` and one function.
"""
