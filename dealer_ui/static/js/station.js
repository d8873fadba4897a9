// Starts every part of a station's page.
import { startBeat } from "./beat.js";
import { startClock } from "./clock.js";
import { startDialogs } from "./dialog.js";
import { startKeys } from "./keyboard.js";
import { startLenses } from "./lens.js";
import { startListOrder } from "./list_order.js";
import { startOrders } from "./order.js";
import { startPasskey } from "./passkey.js";
import { startPit } from "./pit.js";
import { startPitTable } from "./pit_table.js";
import { startSignIn } from "./sign_in.js";
import { startSound } from "./sound.js";
import { startStream } from "./stream.js";

startClock();
startSignIn();
startPasskey();
startDialogs();
startPit();
startPitTable();
startKeys();
startSound();
startOrders();
startStream();
startBeat();
startListOrder();
startLenses();
document.documentElement.dataset.ready = "true";
