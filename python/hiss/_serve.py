"""Functions of Python as commands that move states (docs/judge.md).

The command `hiss` starts a relay, which hands its streams over; the function
itself stays in this process, where what it needs is loaded."""
from __future__ import annotations

import functools
import inspect
import os
import shlex
import socket
import sys
import threading

import numpy as np

from ._errors import HissError
from ._kernel import Kernel
from ._model import as_model

WORDS_MAX = 65536


class Served:
    """A place at which relays find functions: a socket in a folder."""

    def __init__(self, folder, functions, framework):
        for function in functions.values():
            Kernel(function, (), framework)  # raises where it is none
        self.functions, self.framework = functions, framework
        self.fault = None
        self.on_fault = lambda: None
        self._turn = {name: threading.Lock() for name in functions}
        self._path = os.path.join(folder, "relay")
        self._socket = socket.socket(socket.AF_UNIX)
        try:
            self._socket.bind(self._path)
        except OSError as fault:  # longer than the names of sockets may be
            self._socket.close()
            raise HissError(f"cannot open {self._path}: {fault}; set TMPDIR to "
                            f"a folder with a shorter name") from None
        self._socket.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def command(self, name):
        """What the shell runs to reach a function."""
        relay = os.path.join(os.path.dirname(__file__), "_relay.py")
        return shlex.join([sys.executable, "-I", relay, self._path, name])

    def close(self):
        self._socket.shutdown(socket.SHUT_RDWR)  # close alone leaves accept
        self._socket.close()

    def _accept(self):
        while True:
            try:
                line, _ = self._socket.accept()
            except OSError:  # closed
                return
            threading.Thread(target=self._serve, args=(line,),
                             daemon=True).start()

    def _serve(self, line):
        with line:
            try:
                words, ends, _, _ = socket.recv_fds(line, WORDS_MAX, 2)
                name, target, model = words.decode().split("\0")
                kernel = self._kernel(name, target, model)
                with open(ends[0], "rb") as states, \
                        open(ends[1], "wb") as moved:
                    self._move(kernel, states, moved)
                line.sendall(b"0")
            except (BrokenPipeError, ConnectionError):
                pass  # the run was ended
            except BaseException as fault:
                self.fault = self.fault or fault
                self.on_fault()

    def _kernel(self, name, target, model):
        """The function, told what it asks for by name."""
        function = self.functions[name]
        try:
            wanted = inspect.signature(function).parameters
        except (TypeError, ValueError):  # of a compiled function
            wanted = {}
        told = {key: value for key, value in
                (("target", target), ("model", model)) if key in wanted}
        if told:
            function = functools.partial(function, **told)
        kinds = as_model(model).kinds if model else ()
        kernel = Kernel(function, kinds, self.framework)
        kernel.name = name
        return kernel

    def _move(self, kernel, states, moved):
        while header := states.readline():
            n, dim, seed = map(int, header.split())
            body = states.read(8 * n * dim)
            if len(body) < 8 * n * dim:
                return
            x = np.frombuffer(body).reshape(n, dim)
            with self._turn[kernel.name]:
                y = kernel.moved(x, seed)
            moved.write(np.ascontiguousarray(y, dtype=np.float64).tobytes())
            moved.flush()
