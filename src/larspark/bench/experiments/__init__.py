"""What is measured otherwise than by running contestants over a workload; `index` lists the experiments."""
