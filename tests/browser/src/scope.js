/** Returns whether this run leaves the long part out. */
export function isShort() {
  return process.env.ORESTES_TEST_SCOPE === 'short'
}
