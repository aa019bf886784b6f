/**
 * Holds a publisher to its cap. REMB only asks, so incoming bytes are counted too: more than twice the cap, averaged
 * over two seconds, is not forwarded until a second has passed near the cap. Video is held back first, audio only when
 * it exceeds the cap by itself.
 */

/** Tolerance: browsers follow their estimate in bursts, and key frames are large. */
const FACTOR = 2;
const AVERAGED_SECONDS = 2;
/** A first key frame alone may be this large, whatever the cap is. */
const BURST_BYTES_LEAST = 64_000;
/** What counts as near the cap: headers and repairs come on top of what browsers count themselves. */
const CALM_FACTOR = 1.25;
const CALM_MS = 1000;
/** Time for a lower cap to reach the browser and for its encoder to follow. */
const LOWERED_MS = 3000;

/** What the hot path touches: one addition and one comparison per packet. */
interface Meter {
  /** Bytes received since the start. */
  bytes: number;
  /** Bytes above this are too much. */
  allowed: number;
  /** Too much has come; nothing is forwarded. */
  held: boolean;
}

export interface Cap {
  /** Governs audio; counts audio alone. */
  readonly audio: Meter;
  /** Governs video; counts everything. */
  readonly all: Meter;
  /** Sets the cap in bits per second; 0 means none. */
  set(bitsPerSecond: number): void;
  /** Takes the time that has passed. Returns whether something is forwarded again. */
  tick(nowMs: number): boolean;
}

interface Bucket {
  readonly meter: Meter;
  /** Bytes already accounted for by time that has passed. */
  forgiven: number;
  /** `meter.bytes` when this second began. */
  secondBytes: number;
}

const createBucket = (): Bucket => ({
  meter: { bytes: 0, allowed: Infinity, held: false },
  forgiven: 0,
  secondBytes: 0,
});

function allow({ meter, forgiven }: Bucket, bytesPerSecond: number): void {
  meter.allowed = forgiven + Math.max(BURST_BYTES_LEAST, bytesPerSecond * FACTOR * AVERAGED_SECONDS);
}

function refill(bucket: Bucket, bytesPerSecond: number, seconds: number): void {
  bucket.forgiven = Math.min(bucket.meter.bytes, bucket.forgiven + bytesPerSecond * FACTOR * seconds);
  allow(bucket, bytesPerSecond);
}

/** Ends a second. Returns whether what was held back is forwarded again. */
function endSecond(bucket: Bucket, bytesPerSecond: number, seconds: number): boolean {
  const { meter } = bucket;
  const calm = meter.bytes - bucket.secondBytes <= bytesPerSecond * seconds * CALM_FACTOR;
  bucket.secondBytes = meter.bytes;
  if (!meter.held || !calm) return false;
  meter.held = false;
  bucket.forgiven = meter.bytes;
  allow(bucket, bytesPerSecond);
  return true;
}

/** Makes a cap in bits per second; 0 means none. */
export function createCap(bitsPerSecond: number): Cap {
  const buckets = [createBucket(), createBucket()] as const;
  const rateOf = (bits: number) => (bits === 0 ? Infinity : bits / 8);
  let rate = rateOf(bitsPerSecond);
  /** The higher cap before this one, and until when it still counts; null until a tick has told the time. */
  let former: { rate: number; untilMs: number | null } | null = null;
  let lastMs: number | null = null;
  let secondMs = 0;
  for (const bucket of buckets) allow(bucket, rate);

  return {
    audio: buckets[0].meter,
    all: buckets[1].meter,
    set(bits) {
      const next = rateOf(bits);
      if (next < rate) former = { rate: Math.max(rate, former?.rate ?? 0), untilMs: null };
      rate = next;
    },
    tick(nowMs) {
      if (former !== null) {
        former.untilMs ??= nowMs + LOWERED_MS;
        if (nowMs >= former.untilMs) former = null;
      }
      const counts = Math.max(rate, former?.rate ?? 0);
      if (lastMs === null) secondMs = nowMs;
      const seconds = (nowMs - (lastMs ?? nowMs)) / 1000;
      lastMs = nowMs;
      // Without elapsed time, infinity times zero would not be a number.
      if (seconds > 0) for (const bucket of buckets) refill(bucket, counts, seconds);
      if (nowMs - secondMs < CALM_MS) return false;
      const second = (nowMs - secondMs) / 1000;
      secondMs = nowMs;
      let again = false;
      for (const bucket of buckets) again = endSecond(bucket, counts, second) || again;
      return again;
    },
  };
}
