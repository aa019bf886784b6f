/** The calls of billing: the customer, the plan, and the therapist's own bills. */
import { completeRegistration, findBills, getBilling, getBillPdf } from '@fieldroom/contract/billing';
import type { Http } from '../../access.ts';
import type { BillingService } from './billing.service.ts';

/** Mounts the calls. */
export function billingRoutes(
  http: Http,
  service: Pick<BillingService, 'getBilling' | 'completeRegistration' | 'findBills' | 'getPdf'>,
): void {
  http.handle(getBilling, ({ access }) => service.getBilling(access.id));
  http.handle(completeRegistration, ({ access, body }) => service.completeRegistration(access.id, body));
  http.handle(findBills, ({ access, query }) => service.findBills(access.id, query));
  http.handle(getBillPdf, async ({ access, params }) => {
    const { number, bytes } = await service.getPdf(access.id, params.billId);
    return {
      contentType: 'application/pdf',
      bytes,
      headers: { 'content-disposition': `attachment; filename="${number}.pdf"` },
    };
  });
}
