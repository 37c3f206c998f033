"""From `TableView` to what a screen draws: finished strings, tones, icons, fractions in steps. No Kivy in here."""
