"""What only the installed package `rollout-wire` has: its command line, and the extra `fast`. Import `rollout_wire`."""
