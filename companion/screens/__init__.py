"""What people see: one .kv and one .py a screen, fed with views, giving back actions."""
