/** Notices for therapists: new bookings, cancellations, arrivals, bills. Rules: README.md and docs/product.md#11. */
import type { Feature } from '../../feature.ts';
import type { Db } from '../../platform/db/db.ts';
import type { Billing } from '../billing/index.ts';
import type { Bookings } from '../bookings/index.ts';
import type { Clients } from '../clients/index.ts';
import type { Publish } from '../room/index.ts';
import { noticesRoutes } from './notices.routes.ts';
import { createNoticesService } from './notices.service.ts';
import * as store from './notices.store.ts';

export interface NoticesParts {
  db: Db;
  publish: Publish;
  bookings: Pick<Bookings, 'onPersonActed'>;
  clients: Pick<Clients, 'onArrival'>;
  billing: Pick<Billing, 'onBilled'>;
}

/** Makes the notices. Listens to the features whose events they announce. */
export function createNotices({ db, publish, bookings, clients, billing }: NoticesParts): Required<
  Pick<Feature, 'routes'>
> & {
  /** Deletes notices that are too old. Returns their number. */
  removeOld(): Promise<{ notices: number }>;
} {
  const service = createNoticesService({ db, publish });
  bookings.onPersonActed((tx, { act, therapistId, bookingId }, afterCommit) =>
    service.write(tx, [{ therapistId, kind: act === 'confirmed' ? 'booked' : 'cancelled', bookingId }], afterCommit),
  );
  clients.onArrival(service.writeArrival);
  billing.onBilled((tx, bills, afterCommit) =>
    service.write(
      tx,
      bills.map(({ id, therapistId }) => ({ therapistId, kind: 'bill', billId: id })),
      afterCommit,
    ),
  );
  return {
    routes: (http) => noticesRoutes(http, service),
    removeOld: async () => ({ notices: await store.removeOld(db) }),
  };
}
