/** What went wrong with what the user began; read out when it appears, and nothing while it is empty. */
export function Problem({ text }: { readonly text: string }) {
  return (
    <p className="problem" role="alert">
      {text}
    </p>
  )
}
