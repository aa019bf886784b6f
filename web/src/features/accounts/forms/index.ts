/** The parts of account forms that other features use too. Their words are those of `common` and `problems`. */
export { currentPasswordFault, faultAt, PasswordField } from './AccountFields.tsx';
