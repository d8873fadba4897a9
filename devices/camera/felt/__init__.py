"""The felt as it lies in the picture: its layout in millimetres, its markers, the calibration, and the bare cloth."""
