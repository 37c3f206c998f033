"""The few lines of Python that the flash tool has the board run. Plain text; `str.format` fills in paths."""

RESET = "import machine\nmachine.reset()"

FACTS = """\
import os, sys, machine
_s = os.statvfs("/")
_free = _s[3] if _s[3] <= _s[2] else 0  # littlefs counts some blocks twice: on a full disk fewer than none are free
print(repr((sys.platform, getattr(sys.implementation, "_machine", ""), tuple(sys.implementation.version),
    getattr(sys.implementation, "_mpy", 0), machine.unique_id().hex(), _s[0] * _free, _s[0], os.listdir(),
    sys.path[0] if sys.path else "", globals().get("started"))))
"""

HASHES = """\
import os, hashlib
def _walk(place):
    for entry in os.ilistdir(place):
        path = place + "/" + entry[0]
        if entry[1] & 0x4000:
            _walk(path)
            continue
        digest = hashlib.sha256()
        with open(path, "rb") as file:
            while True:
                data = file.read(512)
                if not data:
                    break
                digest.update(data)
        print(path, digest.digest().hex())
try:
    os.stat("{folder}")
except OSError:
    pass
else:
    _walk("{folder}")
"""

RENAME = "import os\nos.rename({old!r}, {new!r})"

FOLDERS = """\
import os
for _path in {paths!r}:
    try:
        os.mkdir(_path)
    except OSError as _error:
        if _error.errno != 17:
            raise
"""

REMOVE = """\
import os
for _path in {paths!r}:
    try:
        os.remove(_path)
    except OSError as _error:
        if _error.errno != 2:
            raise
"""

HOLD = """\
with open("hold", "w") as _file:
    _file.write("1")
"""

KEEP = """\
with open({old!r}, "rb") as _source, open({new!r}, "wb") as _target:
    _target.write(_source.read())
"""

TRIAL_IMPORT = """\
import sys
sys.path.insert(0, {folder!r})
__import__({entry!r})
print(callable(sys.modules[{entry!r}].run))
"""
