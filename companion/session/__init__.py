"""One sitting: what a swipe or a tap means now, the dialogs it opens, the journal it is written into."""
