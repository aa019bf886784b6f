/**
 * The last step of a booking: four fields, the number of places, and what happens with them. Sending it holds the
 * place.
 */
import { EMAIL_INPUT } from '../emailInput.ts';
import { type Language, PERSON_NAME_MAX } from '@fieldroom/contract/text';
import { type Hold, bookEvent, PHONE_MAX } from '@fieldroom/contract/bookings';
import { fullName, inNameOrder } from '@fieldroom/contract/names';
import { DATA_AGREEMENT_PAGE } from '@fieldroom/contract/pages';
import { type FormEvent, useEffect, useState } from 'react';
import { ApiProblem } from '../../../platform/api/request.ts';
import { anonymousApi } from '../anonymousApi.ts';
import { Alert, Field, Hint } from '../../../light/controls.tsx';
import { FormActions, PageDialog } from '../frame/PageDialog.tsx';
import { pictureOf } from './pictureOf.ts';
import { PlacesStepper } from './PlacesStepper.tsx';
import { oneLine, priceText, totalText } from './EventFacts.tsx';
import { type Person, PERSON_FIELDS, type PersonField, personField, personFaults } from './bookingForm.ts';
import type { KeptHold } from '../sessionStorage.ts';
import { prefetchOwnPages } from '../own/LazyOwnPages.tsx';
import type { EventData } from '../pageFromPath.ts';
import { usePublicWords } from '../usePublicWords.ts';
import styles from './BookingDialog.module.css';
import parts from '../frame/parts.module.css';

export interface FinalizePageDialogProps {
  data: EventData;
  person: Person;
  onPerson(person: Person): void;
  onClose(): void;
  onHeld(hold: KeptHold): void;
  /** The place can't be booked as the page shows it. */
  onRefused(): void;
}

/** The event is no longer as the page shows it. */
const REFUSALS: readonly string[] = [
  'event_full',
  'event_holds_full',
  'too_few_places',
  'event_closed',
  'event_cancelled',
  'not_found',
];

type Faults = Partial<Record<PersonField, string>>;
const FIELDS = {
  firstName: {
    type: 'text',
    autoComplete: 'given-name',
    autoCapitalize: 'words',
    maxLength: PERSON_NAME_MAX * 2,
    enterKeyHint: 'next',
  },
  familyName: {
    type: 'text',
    autoComplete: 'family-name',
    autoCapitalize: 'words',
    maxLength: PERSON_NAME_MAX * 2,
    enterKeyHint: 'next',
  },
  email: { ...EMAIL_INPUT, enterKeyHint: 'next' },
  phone: { type: 'tel', autoComplete: 'tel', maxLength: PHONE_MAX * 2, inputMode: 'tel', enterKeyHint: 'go' },
} as const;

/** The fields in the order of the language. */
const fieldsIn = (language: Language): readonly PersonField[] => [
  ...inNameOrder<PersonField>(language, 'firstName', 'familyName'),
  'email',
  'phone',
];

/**
 * Sends the booking and holds the place (docs/product.md#9.7). The caller keeps the typed text, so that it outlives the
 * dialog. Faults are shown at their fields, from the first try on or once a field was left; a refusal that changes what
 * the page shows (full, closed, cancelled) also calls `onRefused`.
 */
export function BookingDialog({
  data: { event, host, placesAtOnce },
  person,
  onPerson,
  onClose,
  onHeld,
  onRefused,
}: FinalizePageDialogProps) {
  const { t, language, refusal, fault } = usePublicWords();
  const [touched, setTouched] = useState<ReadonlySet<PersonField>>(new Set());
  const [fromServer, setFromServer] = useState<Faults>({});
  const [problem, setProblem] = useState<unknown>(null);
  const [submitted, setSubmitted] = useState(false);
  const [focus, setFocus] = useState<{ field: PersonField | null; count: number }>({ field: null, count: 0 });
  useEffect(prefetchOwnPages, []);
  const local = personFaults(person);
  // Others may have taken places since the number was chosen.
  const places = Math.max(1, Math.min(person.places, placesAtOnce));
  const valid = PERSON_FIELDS.every((field) => local[field] === null);

  const submit = async (submission: FormEvent) => {
    submission.preventDefault();
    if (submitted) return;
    if (!valid) {
      setTouched(new Set(PERSON_FIELDS));
      const first = fieldsIn(language).find((field) => local[field] !== null)!;
      setFocus(({ count }) => ({ field: first, count: count + 1 }));
      return;
    }
    setSubmitted(true);
    setProblem(null);
    setFromServer({});
    try {
      const { firstName, familyName, email, phone } = person;
      const hold: Hold = await anonymousApi.call(bookEvent, {
        params: { eventId: event.id },
        body: { firstName, lastName: familyName, email: email.trim(), phoneNumber: phone, places, language },
      });
      onHeld({ ...hold, eventId: event.id, email: email.trim(), places });
    } catch (refused) {
      const faulty =
        refused instanceof ApiProblem
          ? refused.fields.flatMap(({ path, code }) => {
              const field = personField(path);
              return field ? [[field, code] as const] : [];
            })
          : [];
      setFromServer(Object.fromEntries(faulty) as Faults);
      if (faulty[0]) setFocus(({ count }) => ({ field: faulty[0]![0], count: count + 1 }));
      else setProblem(refused);
      if (refused instanceof ApiProblem && REFUSALS.includes(refused.code)) onRefused();
      setSubmitted(false);
    }
  };
  const thumbnail = pictureOf(event);
  const total = totalText(event, places, language, t);
  return (
    <PageDialog title={t('finalize.title')} onClose={onClose} busy={submitted}>
      <div className={`${styles.event} ${parts.eventLine}`}>
        {thumbnail ? <img src={thumbnail} alt="" width={112} height={76} /> : null}
        <div>
          <p className={parts.eventName}>{event.eventName}</p>
          <p>
            {oneLine(event, language, t)} · {priceText(event, language, t)}
            {total === null ? null : ` ${t('price.person')}, ${total}`}
          </p>
        </div>
      </div>
      <form className={parts.form} noValidate onSubmit={(submission) => void submit(submission)}>
        <Hint>{t('finalize.required')}</Hint>
        <div className={styles.columns}>
          {fieldsIn(language).map((field, index) => {
            const key = fromServer[field] ?? (touched.has(field) ? local[field] : null);
            return (
              <Field
                key={field}
                label={t(`finalize.${field}`)}
                required
                value={person[field]}
                fault={key ? fault(field, key) : null}
                focusCount={focus.field === field ? focus.count : 0}
                input={
                  {
                    name: field,
                    ...FIELDS[field],
                    ...(index === 0 ? { 'data-first': '' } : {}),
                  } as React.InputHTMLAttributes<HTMLInputElement>
                }
                onBlur={() => setTouched((before) => new Set(before).add(field))}
                onChange={(value) => {
                  onPerson({ ...person, [field]: value });
                  setFromServer(({ [field]: _gone, ...others }) => others);
                }}
              />
            );
          })}
        </div>
        {event.type === 'GROUP' && (placesAtOnce > 1 || person.places > 1) ? (
          <PlacesStepper
            places={places}
            most={Math.max(1, placesAtOnce)}
            onChange={(chosen) => onPerson({ ...person, places: chosen })}
          />
        ) : null}
        <ul className={styles.notes}>
          <li>{t('finalize.emailHint')}</li>
          <li>
            {t('finalize.shared', { name: fullName(language, host) })}{' '}
            <a href={DATA_AGREEMENT_PAGE} target="_blank" rel="noreferrer">
              {t('finalize.privacy')}
            </a>
          </li>
        </ul>
        {problem ? <Alert>{refusal(problem)}</Alert> : null}
        <FormActions send={t(submitted ? 'finalize.busy' : 'finalize.save')} busy={submitted} onBack={onClose} />
      </form>
    </PageDialog>
  );
}
