"""Whether the view can be used at all: finding the felt, how good its calibration is, and when the camera is blind."""
