/** The therapist's bills, each with its PDF. */
import { type Bill, getBillPdf } from '@fieldroom/contract/billing';
import { Button } from '@mantine/core';
import { IconDownload, IconReceipt } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../platform/api/index.ts';
import { sayProblem } from '../../../platform/i18n/app.ts';
import { problemText } from '../../../platform/i18n/faults.ts';
import { useSinglePress } from '../../../platform/forms/useSinglePress.ts';
import { Callout } from '../../../ui/states/Callout.tsx';
import table from '../../../ui/dataTable.module.css';
import { EmptyState } from '../../../ui/states/EmptyState.tsx';
import { LoadFault } from '../../../ui/states/LoadFault.tsx';
import { LoadingRows } from '../../../ui/states/LoadingRows.tsx';
import { PageButtons } from '../../../ui/controls/PageButtons.tsx';
import { saveFile } from '../../../ui/saveFile.ts';
import { BILLS_PAGE_SIZE, billingQueries } from '../billingQueries.ts';
import { money, monthWords, shortDayWords } from '../billingWords.ts';
import styles from './BillsSection.module.css';

const LIST = 'bill-list';

/**
 * The list in pages, the newest bill first. `#bills-title` in the address scrolls to it once it is loaded. `dueDays` is
 * the time to pay, in days.
 */
export function BillsSection({ dueDays }: { dueDays: number }) {
  const { t } = useTranslation('billing');
  const { t: tc } = useTranslation('common');
  const [page, setPage] = useState(0);
  const bills = useQuery(billingQueries.bills(page));
  const title = useRef<HTMLHeadingElement>(null);
  const there = bills.data !== undefined;
  // A notice of a bill leads to `#bills-title`, which moves far down once everything above it is loaded.
  useEffect(() => {
    if (there && window.location.hash === '#bills-title') title.current?.scrollIntoView();
  }, [there]);
  return (
    <section aria-labelledby="bills-title">
      <h2 ref={title} id="bills-title" className={styles.title}>
        {t('bills.title')}
      </h2>
      <p className={styles.lead}>{t('plan.bills', { count: dueDays })}</p>
      {bills.error ? (
        <LoadFault
          text={`${t('bills.listFailed')} ${problemText(sayProblem, bills.error)}`}
          retry={tc('tryAgain')}
          onRetry={() => void bills.refetch()}
        />
      ) : null}
      {!bills.data && !bills.error ? <LoadingRows label={tc('loading')} rows={2} /> : null}
      {bills.data?.totalElements === 0 ? <NoBills /> : null}
      {bills.data && bills.data.totalElements > 0 ? (
        <Bills bills={bills.data.content} busy={bills.isPlaceholderData} />
      ) : null}
      {bills.data ? (
        <div className={table.foot}>
          <PageButtons
            page={page}
            pages={Math.ceil(bills.data.totalElements / BILLS_PAGE_SIZE)}
            onPage={setPage}
            list={LIST}
            label={t('bills.pages')}
            before={t('bills.newer')}
            after={t('bills.older')}
          />
        </div>
      ) : null}
    </section>
  );
}

function NoBills() {
  const { t } = useTranslation('billing');
  return (
    <EmptyState
      heading="h3"
      picture={<IconReceipt size={28} stroke={1.5} />}
      title={t('bills.none')}
      text={t('bills.noneText')}
    />
  );
}

/** Fetches a bill's PDF and saves it, one at a time. */
function usePdf() {
  return useMutation({
    mutationFn: async (bill: Bill) => {
      const bytes = await api.call(getBillPdf, { params: { billId: bill.id } });
      // A slash in a number would create a folder.
      saveFile(bytes, `${bill.number.replace(/[^\p{L}\p{N}.-]+/gu, '-')}.pdf`);
    },
  });
}

const COLUMNS = ['number', 'month', 'hours', 'amount', 'issued', 'due'] as const;
const NUMBERS: ReadonlySet<string> = new Set(['hours', 'amount']);

function Bills({ bills, busy }: { bills: readonly Bill[]; busy: boolean }) {
  const { t } = useTranslation('billing');
  const pdf = usePdf();
  const save = useSinglePress(pdf.mutateAsync);
  return (
    <>
      <div className={table.frame} aria-busy={busy}>
        <table id={LIST} tabIndex={-1} className={table.table} aria-labelledby="bills-title">
          <thead>
            <tr>
              {COLUMNS.map((column) => (
                <th key={column} scope="col" data-number={NUMBERS.has(column) || undefined}>
                  {t(`bills.${column}`)}
                </th>
              ))}
              <th scope="col">
                <span className="fr-hidden">{t('bills.file')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {bills.map((bill) => (
              <BillRow
                key={bill.id}
                bill={bill}
                loading={pdf.isPending && pdf.variables.id === bill.id}
                disabled={pdf.isPending}
                onPdf={() => save(bill)}
              />
            ))}
          </tbody>
        </table>
      </div>
      <div role="status" className={styles.told}>
        {pdf.isSuccess ? <span className="fr-hidden">{t('bills.saved', { number: pdf.variables.number })}</span> : null}
        {pdf.error ? (
          <Callout tone="fault">
            {t('bills.failed', { number: pdf.variables.number })} {problemText(sayProblem, pdf.error)}
          </Callout>
        ) : null}
      </div>
    </>
  );
}

interface BillRowProps {
  bill: Bill;
  loading: boolean;
  disabled: boolean;
  onPdf(): void;
}

function BillRow({ bill, loading, disabled, onPdf }: BillRowProps) {
  const { t } = useTranslation('billing');
  return (
    <tr>
      <th scope="row" data-whole>
        {bill.number}
      </th>
      <td data-label={t('bills.month')}>{monthWords(bill.month)}</td>
      <td data-number data-label={t('bills.hours')}>
        {bill.hours}
      </td>
      <td data-number data-label={t('bills.amount')}>
        {money(bill.gross, bill.currency)}
      </td>
      <td data-whole data-label={t('bills.issued')}>
        {shortDayWords(bill.issuedOn)}
      </td>
      <td data-whole data-label={t('bills.due')}>
        {shortDayWords(bill.dueOn)}
      </td>
      <td className={table.act}>
        <Button
          size="sm"
          variant="default"
          loading={loading}
          disabled={disabled && !loading}
          leftSection={<IconDownload size={18} stroke={1.75} aria-hidden />}
          aria-label={t('bills.pdfOf', { number: bill.number })}
          onClick={onPdf}
        >
          {t('bills.pdf')}
        </Button>
      </td>
    </tr>
  );
}
