/**
 * The professional package (/app/subscription/professional-package): before the registration is complete the plan and
 * the form that completes it, afterwards this month's costs, the bills and the customer's data.
 */
import type { Billing, Customer } from '@fieldroom/contract/billing';
import { THERAPIST_ROOM } from '@fieldroom/contract/pages';
import { Button, Skeleton } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sayProblem } from '../../platform/i18n/app.ts';
import { problemText } from '../../platform/i18n/faults.ts';
import { Callout } from '../../ui/states/Callout.tsx';
import { focusFirstFault } from '../../ui/controls/focusFirstFault.ts';
import { LoadFault } from '../../ui/states/LoadFault.tsx';
import { dayAt } from '../events/index.ts';
import { browserZone } from '../../platform/i18n/formats.ts';
import { BillsSection } from './bills/BillsSection.tsx';
import { billingQueries, type Overview } from './billingQueries.ts';
import { dayWords } from './billingWords.ts';
import { termsOf } from './costs.ts';
import { CustomerFacts } from './customer/CustomerFacts.tsx';
import { CustomerFields } from './customer/CustomerFields.tsx';
import { blankValues, type CustomerValues, valuesOf } from './customer/customerForm.ts';
import { CustomerSummary, TermsFacts } from './customer/CustomerSummary.tsx';
import { ReviewDialog } from './customer/ReviewDialog.tsx';
import { type CustomerForm, useCustomerForm } from './customer/useCustomerForm.ts';
import { MonthCard } from './plan/MonthCard.tsx';
import { PlanCard } from './plan/PlanCard.tsx';
import { PricesCard } from './plan/PricesCard.tsx';
import section from '../../ui/sectionCard.module.css';
import styles from './SubscriptionPage.module.css';

/** The last stored data: the registration, or a change of it. */
type Done = 'completed' | 'changed';

/**
 * Shows the form, or the costs once a customer is stored. After a save it confirms once what was stored, and moves the
 * focus there.
 */
export function SubscriptionPage() {
  const { t } = useTranslation('billing');
  const { t: tc } = useTranslation('common');
  const queries = useQueryClient();
  const overview = useQuery(billingQueries.overview());
  const [done, setDone] = useState<Done | null>(null);
  const [changing, setChanging] = useState(false);
  /** The form was closed, so the focus returns to its opener. */
  const [left, setLeft] = useState(false);

  const stored = (billing: Billing) => {
    setDone(overview.data?.billing.customer ? 'changed' : 'completed');
    setChanging(false);
    queries.setQueryData(billingQueries.overview().queryKey, (before) => before && { ...before, billing });
    // Other pages show the plan too: beside the timer, and on the dashboard.
    void queries.invalidateQueries();
  };

  const leave = () => {
    setLeft(true);
    setChanging(false);
  };

  if (overview.data) {
    const { customer } = overview.data.billing;
    if (customer === null || changing)
      return <Registration overview={overview.data} onStored={stored} onLeave={customer ? leave : null} />;
    return (
      <Subscription
        billing={overview.data.billing}
        customer={customer}
        done={done}
        left={left}
        onChange={() => {
          setDone(null);
          setLeft(false);
          setChanging(true);
        }}
      />
    );
  }
  if (overview.error)
    return (
      <LoadFault
        text={`${t('package.failed')} ${problemText(sayProblem, overview.error)}`}
        retry={tc('tryAgain')}
        onRetry={() => void overview.refetch()}
      />
    );
  return <Bones />;
}

function Bones() {
  const { t: tc } = useTranslation('common');
  return (
    <div className={styles.page} role="status" aria-busy="true" aria-label={tc('loading')}>
      <div className={styles.column}>
        <Skeleton height={300} radius={16} />
        <Skeleton height={260} radius={16} />
      </div>
      <Skeleton height={280} radius={20} />
    </div>
  );
}

const payerOf = ({ kind, country, entity }: CustomerValues) => ({ kind, country, entityCountry: entity.country });

interface RegistrationProps {
  overview: Overview;
  onStored(billing: Billing): void;
  /** Returns without a change; null while the registration is not complete. */
  onLeave: (() => void) | null;
}

/** The form, with the plan above it the first time. */
function Registration({ overview: { billing, usage, suggestedCountry }, onStored, onLeave }: RegistrationProps) {
  const { t } = useTranslation('billing');
  const [start] = useState(() => (billing.customer ? valuesOf(billing.customer) : blankValues(suggestedCountry)));
  const form = useCustomerForm(start);
  const [looking, setLooking] = useState<Customer | null>(null);
  const box = useRef<HTMLFormElement>(null);
  /** The server found faults that the form shows. */
  const leadToFault = useRef(false);
  const terms = termsOf(payerOf(form.values), billing);

  const refused = (problem: unknown) => {
    if (!form.showFaults(problem)) return false;
    leadToFault.current = true;
    setLooking(null);
    return true;
  };
  // The button that opened the form is gone. A first registration has its plan above, which is read first.
  const opened = onLeave !== null;
  useEffect(() => {
    if (opened) box.current?.querySelector('input')?.focus();
  }, [opened]);
  // After the dialog's own effects: it returns the focus to the button only while nothing else has taken it.
  useEffect(() => {
    if (looking !== null || !leadToFault.current) return;
    leadToFault.current = false;
    focusFirstFault(box.current);
  }, [looking]);
  const done = (stored: Billing) => {
    form.end();
    setLooking(null);
    onStored(stored);
  };

  return (
    <form
      ref={box}
      noValidate
      aria-label={t('form.title')}
      onSubmit={(event) => {
        event.preventDefault();
        form.check(setLooking, () => focusFirstFault(box.current));
      }}
    >
      <div className={styles.page}>
        <div className={styles.column}>
          {onLeave ? null : (
            <>
              <PlanCard billing={billing} usage={usage} />
              <PricesCard billing={billing} terms={terms} />
            </>
          )}
          <FormHead form={form} onLeave={onLeave} />
          <CustomerFields form={form} suggested={suggestedCountry !== '' && form.values.country === suggestedCountry} />
        </div>
        <CustomerSummary terms={terms} billing={billing} faults={form.faults} />
      </div>
      <ReviewDialog
        customer={looking}
        terms={looking && terms}
        first={onLeave === null}
        onClose={() => setLooking(null)}
        onRefused={refused}
        onDone={done}
      />
    </form>
  );
}

/** The heading of the form, the note about its draft, and the way back. */
function FormHead({ form, onLeave }: { form: CustomerForm; onLeave: (() => void) | null }) {
  const { t } = useTranslation('billing');
  const leave = () => {
    form.end();
    onLeave?.();
  };
  return (
    <div className={styles.head}>
      <div>
        <h2>{onLeave ? t('form.changeTitle') : t('form.title')}</h2>
        <p>{onLeave ? t('form.changeLead') : t('form.lead')}</p>
      </div>
      <div className={styles.keeping}>
        {form.kept ? (
          <>
            <span className={styles.kept}>
              <IconCheck size={18} stroke={1.75} aria-hidden />
              {t('form.kept')}
            </span>
            {onLeave ? null : (
              <Button variant="subtle" size="sm" onClick={form.startOver}>
                {t('form.startOver')}
              </Button>
            )}
          </>
        ) : null}
        {onLeave ? (
          <Button variant="default" onClick={leave}>
            {t('form.leave')}
          </Button>
        ) : null}
      </div>
    </div>
  );
}

interface SubscriptionProps {
  billing: Billing;
  customer: Customer;
  done: Done | null;
  /** The form was just closed without a change. */
  left: boolean;
  onChange(): void;
}

function Subscription({ billing, customer, done, left, onChange }: SubscriptionProps) {
  const { t } = useTranslation('billing');
  const terms = termsOf({ ...customer, entityCountry: customer.entity?.country ?? null }, billing);
  return (
    <>
      <Told done={done} />
      <div className={styles.column}>
        <div className={styles.page}>
          {billing.thisMonth ? <MonthCard month={billing.thisMonth} /> : null}
          <aside className={`${section.card} ${styles.part}`} aria-labelledby="package-title">
            <div>
              <h2 id="package-title">{t('package.title')}</h2>
              {billing.professionalSince ? (
                <p className={styles.since}>
                  {t('package.since', { date: dayWords(dayAt(Date.parse(billing.professionalSince), browserZone())) })}
                </p>
              ) : null}
            </div>
            <div>{terms ? <TermsFacts terms={terms} /> : null}</div>
          </aside>
        </div>
        <BillsSection dueDays={billing.dueDays} />
        <section className={`${section.card} ${styles.part}`} aria-labelledby="customer-title">
          <div className={styles.cardHead}>
            <h2 id="customer-title">{t('customer.title')}</h2>
            <Button variant="default" size="sm" autoFocus={left} onClick={onChange}>
              {t('customer.change')}
            </Button>
          </div>
          <CustomerFacts customer={customer} />
        </section>
      </div>
    </>
  );
}

/** Confirms once what was stored. The form that had the focus is gone, so the focus moves here. */
function Told({ done }: { done: Done | null }) {
  const { t } = useTranslation('billing');
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (done !== null) box.current?.focus();
  }, [done]);
  if (done === null) return null;
  return (
    <div ref={box} className={styles.told} tabIndex={-1} role="status">
      <Callout tone="done">
        {t(`done.${done}`)}{' '}
        {done === 'completed' ? (
          <Link to={THERAPIST_ROOM} className={styles.link}>
            {t('done.open')}
          </Link>
        ) : null}
      </Callout>
    </div>
  );
}
