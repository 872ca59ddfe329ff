import { GLICLASS, PAIR } from "../suite-models.ts";
import { damagedPackSuite } from "./damaged-suite.ts";
import { describe } from "vitest";

describe.each([PAIR, GLICLASS])("$family", damagedPackSuite);
