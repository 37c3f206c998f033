"""The screens: texts, taps, layout and pictures, in a window off-screen where there is no display."""
