/** Composes the email that brings a bill. */
import { PACKAGE_PAGE } from '@fieldroom/contract/pages';
import { composeEmail } from '../../../emails/emails.ts';
import type { NewEmail } from '../../../platform/mail/outbox.ts';
import { WORDS } from './billing.emails.words.ts';
import { amountText, dayText, monthText } from '../billing.format.ts';
import { numberOf } from '../billing.rules.ts';
import type { BillRow } from '../billing.store.ts';

/** The name under which the outbox finds the printer of the emails' PDFs; the key is the bill's id. */
export const PDF_MAKER = 'billing.pdf';

/** Takes a bill and the address of the service. The PDF is printed when the email is sent. */
export function billEmail(bill: BillRow, publicUrl: string): NewEmail {
  const { language } = bill;
  const words = WORDS[language];
  const number = numberOf(bill);
  const values = {
    number,
    month: monthText(language, bill.month),
    amount: amountText(language, bill.gross, bill.currency),
    due: dayText(language, bill.dueOn),
    email: bill.seller.email,
  };
  return {
    ...composeEmail({
      kind: 'billing.bill',
      language,
      words,
      values,
      name: bill.customer.contactPerson,
      facts: [
        {
          rows: [
            { label: words.number, lines: [number] },
            { label: words.month, lines: [values.month] },
            { label: words.amount, lines: [values.amount] },
            { label: words.due, lines: [values.due] },
            { label: words.bank, lines: [bill.seller.bank] },
          ],
        },
      ],
      url: `${publicUrl}${PACKAGE_PAGE}`,
    }),
    to: bill.email,
    about: `bill ${bill.id}`,
    attachments: [
      { filename: `${number}.pdf`, contentType: 'application/pdf', maker: PDF_MAKER, key: String(bill.id) },
    ],
  };
}
