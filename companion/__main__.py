"""`python -m companion`: the app. What it can be asked for is in `command_line`."""

import sys

if __name__ == "__main__":
    try:
        # only here, so that Ctrl-C while it loads ends it without a traceback too
        from companion.loading import uncollected

        with uncollected():
            from companion.command_line import main

        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(0)
