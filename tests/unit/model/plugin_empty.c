/* plugin_empty.c - a shared library that is no plug-in. */
int hiss_test_nothing(void);

int hiss_test_nothing(void)
{
    return 0;
}
