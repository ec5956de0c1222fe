/** The same result. An error gets a message that says what could not be done with which file, and becomes its cause. */
export async function aboutFile<T>(message: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw new Error(message, { cause: error });
  }
}
