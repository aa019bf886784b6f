/** Join link and name, or code and name: three taps (docs/product.md#4.2). */
import { PERSON_NAME_MAX, personName } from '@fieldroom/contract/text';
import { IconShieldLock } from '@tabler/icons-react';
import { type Seat, codeFault } from '@fieldroom/contract/clients';
import { SIGN_IN_PAGE } from '@fieldroom/contract/pages';
import { firstLetter } from '@fieldroom/contract/names';
import { type FormEvent, useState } from 'react';
import { ApiProblem } from '../../platform/api/request.ts';
import { faultText, problemText } from '../../platform/i18n/faults.ts';
import { formFault } from '../../platform/forms/formFault.ts';
import { storage, therapistSignedInHere } from '../../platform/storage.ts';
import { Alert, Field } from '../../light/controls.tsx';
import { type Host, knock } from './seat.ts';
import { JoinFrame, Rings } from './JoinFrame.tsx';
import { useJoinWords } from './useJoinWords.ts';
import styles from './JoinForms.module.css';
import parts from './joinParts.module.css';
import buttons from '../../light/buttons.module.css';

type Faults = { name: string | null; code: string | null };
const NONE: Faults = { name: null, code: null };

// Both forms have the method `dialog`: submitted before the page's script handles it, a form outside a dialog does
// nothing.
function useKnock(onSeat: (seat: Seat) => void, onBlocked: () => void, onUnknown: () => void) {
  const [faults, setFaults] = useState<Faults>(NONE);
  const [problem, setProblem] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const [focusCount, setFocusCount] = useState(0);
  const go = (found: Faults) => {
    setFaults(found);
    setFocusCount((count) => count + 1);
  };
  /**
   * Takes the join link, or null for a form that asks for the code. Sends the fields' values, even if they were typed
   * before the script ran.
   */
  const submit = (joinLink: string | null) => async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    // A therapist may have signed in since, in another tab: this must not end their sign-in (docs/product.md#4.14).
    if (therapistSignedInHere(storage)) return onBlocked();
    const written = new FormData(event.currentTarget);
    const read = (field: string) => String(written.get(field) ?? '');
    const who = { ...(joinLink === null ? { code: read('code') } : { joinLink }), name: read('name') };
    const found: Faults = { name: formFault(personName, who.name), code: 'code' in who ? codeFault(who.code) : null };
    setProblem(null);
    if (found.name !== null || found.code !== null) return go(found);
    setFaults(NONE);
    setBusy(true);
    try {
      onSeat(await knock(who));
    } catch (fault) {
      if (fault instanceof ApiProblem && fault.code === 'join_link_unknown') onUnknown();
      else if (fault instanceof ApiProblem && fault.fields.length > 0) {
        const at = (place: string) => fault.fields.find(({ path }) => path === place)?.code ?? null;
        const atName = at('name');
        const atCode = at('code');
        if (atName ?? atCode) go({ name: atName, code: atCode });
        else setProblem(fault);
      } else setProblem(fault);
    }
    setBusy(false);
  };
  return { faults, problem, busy, focusCount, submit };
}

/**
 * The form behind a join link: a name and one press. Faults of the name are shown at its field, others above the form.
 * The server may draw it before its script has arrived (docs/product.md#11.68).
 */
export function JoinForm({
  joinLink,
  host,
  wasIdle,
  onSeat,
  onBlocked,
  onCode,
  onUnknown,
}: {
  joinLink: string;
  host: Host;
  /** They are here again because they were inactive; the form says so. */
  wasIdle: boolean;
  onSeat(seat: Seat): void;
  /** A therapist is signed in on this browser. */
  onBlocked(): void;
  onCode(): void;
  onUnknown(): void;
}) {
  const { t, say } = useJoinWords();
  const [name, setName] = useState('');
  const { faults, problem, busy, focusCount, submit } = useKnock(onSeat, onBlocked, onUnknown);
  return (
    <JoinFrame title={t('join.pageTitle', { name: host.firstName })}>
      <div className={styles.host} aria-hidden>
        <Rings radii={[62, 84, 109, 136]} />
        {host.picture ? (
          <img src={host.picture} alt="" width={108} height={108} />
        ) : (
          <span>{firstLetter(host.firstName).toUpperCase()}</span>
        )}
      </div>
      <h1 className="fr-voice">{t('join.title', { name: host.firstName })}</h1>
      <p className={parts.lead}>{wasIdle ? t('idle') : t('join.lead', { name: host.firstName })}</p>
      <form className={styles.form} method="dialog" onSubmit={(event) => void submit(joinLink)(event)} noValidate>
        {problem ? <Alert>{problemText(say, problem)}</Alert> : null}
        <Field
          label={t('join.name')}
          hint={t('join.nameHint')}
          fault={faults.name ? faultText(say, 'name', faults.name) : null}
          value={name}
          onChange={setName}
          focusCount={faults.name ? focusCount : 0}
          input={{
            type: 'text',
            name: 'name',
            autoComplete: 'given-name',
            autoCapitalize: 'words',
            enterKeyHint: 'go',
            maxLength: PERSON_NAME_MAX * 2,
          }}
        />
        <button type="submit" className={buttons.large} aria-disabled={busy}>
          {busy ? t('join.busy') : t('join.submit')}
        </button>
        <button type="button" className={parts.quiet} onClick={onCode}>
          {t('join.haveCode')}
        </button>
      </form>
      <p className={styles.promise}>
        <IconShieldLock size={22} stroke={1.75} aria-hidden />
        <span>{t('join.promise')}</span>
      </p>
    </JoinFrame>
  );
}

/**
 * The form for the therapist's code and a name (docs/product.md#4.2), with a link to the therapists' sign-in.
 * `wasIdle`: the person was inactive. `onBlocked` is called if a therapist is signed in on this browser
 * (docs/product.md#4.14).
 */
export function CodeForm({
  wasIdle,
  onSeat,
  onBlocked,
}: {
  wasIdle: boolean;
  onSeat(seat: Seat): void;
  onBlocked(): void;
}) {
  const { t, say } = useJoinWords();
  const [code, setCode] = useState('');
  const [name, setName] = useState('');
  const { faults, problem, busy, focusCount, submit } = useKnock(onSeat, onBlocked, () => {});
  return (
    <JoinFrame title={t('code.pageTitle')}>
      <div className={styles.space} aria-hidden>
        <Rings radii={[62, 84, 109, 136]} y="30%" />
      </div>
      <h1 className="fr-voice">{t('code.title')}</h1>
      <p className={parts.lead}>{wasIdle ? t('idle') : t('code.lead')}</p>
      <form className={styles.form} method="dialog" onSubmit={(event) => void submit(null)(event)} noValidate>
        {problem ? <Alert>{problemText(say, problem)}</Alert> : null}
        <Field
          label={t('code.code')}
          hint={t('code.codeHint')}
          fault={faults.code ? faultText(say, 'code', faults.code) : null}
          value={code}
          onChange={setCode}
          focusCount={faults.code ? focusCount : 0}
          input={{
            className: styles.code,
            type: 'text',
            name: 'code',
            autoComplete: 'off',
            autoCapitalize: 'characters',
            autoCorrect: 'off',
            spellCheck: false,
            enterKeyHint: 'next',
            maxLength: 32,
          }}
        />
        <Field
          label={t('join.name')}
          hint={t('join.nameHint')}
          fault={faults.name ? faultText(say, 'name', faults.name) : null}
          value={name}
          onChange={setName}
          focusCount={faults.name && !faults.code ? focusCount : 0}
          input={{
            type: 'text',
            name: 'name',
            autoComplete: 'given-name',
            autoCapitalize: 'words',
            enterKeyHint: 'go',
            maxLength: PERSON_NAME_MAX * 2,
          }}
        />
        <button type="submit" className={buttons.large} aria-disabled={busy}>
          {busy ? t('join.busy') : t('code.submit')}
        </button>
      </form>
      <p className={styles.aside}>
        {t('code.therapist')} <a href={SIGN_IN_PAGE}>{t('code.signIn')}</a>
      </p>
      <p className={styles.promise}>
        <IconShieldLock size={22} stroke={1.75} aria-hidden />
        <span>{t('join.promise')}</span>
      </p>
    </JoinFrame>
  );
}
