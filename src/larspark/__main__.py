"""`python -m larspark`."""

import sys

from larspark.cli.main import main

sys.exit(main())
