"""Requests to a peer: one from the command line, or one a line, words with tabs between them."""
import sys


def serve(answer):
    if len(sys.argv) > 1:
        print(answer(*sys.argv[1:]))
        return
    for line in sys.stdin:
        try:
            print(answer(*line.rstrip("\n").split("\t")), flush=True)
        except Exception as error:  # whatever it is, the row is left out
            print(f"error: {error}".replace("\n", " "), flush=True)
