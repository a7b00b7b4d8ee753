"""What the generated modules of `rollout_wire` share, and its command line. Import `rollout_wire` instead."""
