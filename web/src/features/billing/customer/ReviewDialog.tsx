/** The review before a customer's data is stored. */
import { completeRegistration, type Billing, type Customer } from '@fieldroom/contract/billing';
import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../platform/api/index.ts';
import { sayProblem } from '../../../platform/i18n/app.ts';
import { problemText } from '../../../platform/i18n/faults.ts';
import { Callout } from '../../../ui/states/Callout.tsx';
import dialog from '../../../ui/dialogs/Dialog.module.css';
import { Dialog } from '../../../ui/dialogs/Dialog.tsx';
import type { Terms } from '../costs.ts';
import { CustomerFacts } from './CustomerFacts.tsx';
import { TermsFacts } from './CustomerSummary.tsx';
import styles from './ReviewDialog.module.css';

export interface ReviewDialogProps {
  /** null while there is nothing to review. */
  customer: Customer | null;
  terms: Terms | null;
  /** The registration is not complete yet. */
  first: boolean;
  /** Returns to the form; nothing was stored. */
  onClose(): void;
  /** The server refused it. Returns whether the form shows why; then the dialog closes. */
  onRefused(problem: unknown): boolean;
  onDone(billing: Billing): void;
}

/**
 * Shows the customer's data and the resulting price, and stores the data when it is confirmed (docs/product.md#8.1).
 * The dialog cannot be closed while storing.
 */
export function ReviewDialog({ customer, terms, first, onClose, onRefused, onDone }: ReviewDialogProps) {
  const { t } = useTranslation('billing');
  const { t: tc } = useTranslation('common');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  /** A second press can come before the first was drawn. */
  const running = useRef(false);

  const send = async (body: Customer) => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setProblem(null);
    try {
      onDone(await api.call(completeRegistration, { body }));
    } catch (fault) {
      if (!onRefused(fault)) setProblem(fault);
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  const leave = () => {
    if (busy) return;
    setProblem(null);
    onClose();
  };

  return (
    <Dialog
      opened={customer !== null}
      onClose={leave}
      size={700}
      title={first ? t('review.title') : t('review.changeTitle')}
      close={tc('close')}
      busy={busy}
    >
      <p className={dialog.line}>{first ? t('review.line') : t('review.changeLine')}</p>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by keys */}
      <div className={dialog.scroll} tabIndex={0} role="group" aria-label={t('review.data')}>
        {customer ? (
          <div className={styles.both}>
            <CustomerFacts customer={customer} />
            {terms ? (
              <div className={styles.terms}>
                <TermsFacts terms={terms} />
              </div>
            ) : null}
          </div>
        ) : null}
      </div>
      <div className={dialog.words} role="status">
        {problem ? (
          <Callout tone="fault">
            {problemText(sayProblem, problem)} {t('review.kept')}
          </Callout>
        ) : null}
      </div>
      <div className={dialog.acts}>
        <Button variant="default" disabled={busy} onClick={leave}>
          {t('review.back')}
        </Button>
        <Button data-autofocus loading={busy} onClick={() => customer && void send(customer)}>
          {first ? t('review.complete') : t('review.save')}
        </Button>
      </div>
    </Dialog>
  );
}
