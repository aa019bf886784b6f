/** The one shape of every server feature. `app.ts` creates the features in order and joins these parts. */
import type { Role } from '@fieldroom/contract/accounts';
import type { CronJobType } from '@fieldroom/contract/admin';
import type { ResultOf, SearchKind, SearchWords } from '@fieldroom/contract/search';
import type { Gates, Http } from './access.ts';
import type { Channel } from './realtime/channel.ts';
import type { Web } from './pages/pages.ts';

/** Work that is repeated at an interval. */
interface Sweep {
  /** `feature.work`, for the log. */
  readonly name: string;
  /** Real time between two runs. */
  readonly everySeconds: number;
  run(): Promise<unknown>;
}

/** Work that runs by a schedule, which the operator can change (docs/product.md#15.3). */
interface ScheduledJob {
  readonly type: CronJobType;
  /** The schedule until the operator changes it: a cron expression of five fields, in `timeZone`. */
  readonly schedule: string;
  /** IANA zone. */
  readonly timeZone: string;
  /**
   * Does what is due by the product's clock, and can be repeated at any time. Returns what it did, as numbers by name.
   */
  run(): Promise<Readonly<Record<string, number>>>;
}

/** A number that /metrics asks for. */
interface Gauge {
  readonly name: string;
  readonly help: string;
  read(): number | Promise<number>;
}

/** What a search wants of one kind. */
interface SearchWanted {
  /** At least one. */
  readonly words: SearchWords;
  /** The first result, counted from 0, and how many at most. */
  readonly from: number;
  readonly size: number;
}

/** Results of one kind. `total` counts all; it is 0 when `from` is beyond the last one. */
interface Found<K extends SearchKind> {
  readonly items: ResultOf<K>[];
  readonly total: number;
}

/** What search finds in a feature (docs/product.md#11.30). */
export interface SearchSource<K extends SearchKind = SearchKind> {
  readonly kind: K;
  /** The role whose people have results of this kind. */
  readonly role: Role;
  /** Reads what belongs to this account, or what its role may see, and nothing else. */
  find(accountId: number, wanted: SearchWanted): Promise<Found<K>>;
}
/** A source of any kind. */
export type AnySearchSource = { readonly [K in SearchKind]: SearchSource<K> }[SearchKind];

/** What a feature offers beside its own typed functions. A feature leaves out what it does not have. */
export interface Feature {
  /** Mounts the calls. */
  routes?(http: Http): void;
  /** Mounts pages that the server draws before their script has come. */
  pages?(http: Http, web: Web): void;
  /** Who may make calls, for the access rules that this feature decides. */
  readonly gates?: Gates;
  /** Messages of the real-time connection. */
  readonly channel?: Channel;
  readonly jobs?: readonly Sweep[];
  readonly scheduled?: readonly ScheduledJob[];
  readonly metrics?: readonly Gauge[];
  readonly search?: readonly AnySearchSource[];
  // When the server stops, `stopping.ts` calls all `stopTaking`, closes the real-time connections, calls all
  // `disconnect`, waits for the calls that still run, and calls all `stop`. Each time the features that were made last
  // come first, because they use the others. It waits at most two seconds for each.
  /** Sends the answers that are held back, so that nobody waits for them while the server stops. */
  stopTaking?(): void;
  /** Closes connections of the feature's own. Calls are still answered. */
  disconnect?(): void | Promise<void>;
  /** Drops timers and resolves when no work is left. No call runs any more; the database closes next. */
  stop?(): void | Promise<void>;
}
