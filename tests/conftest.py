"""Each worker of the tests reads pictures on one thread, as a studio does: its cores have other workers to run."""

import cv2

cv2.setNumThreads(1)
