"""The benchmark suite: workloads, peers that run beside the reasoners, measurements and their report."""
