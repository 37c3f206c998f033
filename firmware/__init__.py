"""What runs on the boards, and on the computer in place of them: `desk`."""
