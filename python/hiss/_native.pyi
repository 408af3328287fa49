# The extension, made by cffi from the public headers.
from typing import Any

ffi: Any
lib: Any
