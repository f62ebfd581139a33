/* SPDX-License-Identifier: Apache-2.0
 * form.h - the model and the bound of a case that is made of lists. */
#ifndef TOOLS_CHECK_FORM_H
#define TOOLS_CHECK_FORM_H

#include "check/cases.h"

/* The element type that an input of the form has. */
oc_type check_input_type(const check_input *in, const check_form *form);
/* The type is computed in, or mixed with, another one that has a smaller range: numbers that are
 * finite in it need not be finite there, and cases have plain numbers alone. */
bool check_form_is_mixed(const check_spec *s, const check_form *form);
/* A unit in the last place of x in the coarsest type that a result may be rounded to. */
double check_form_unit(const check_spec *s, const check_form *form, double x);
/* Sets all members of *out but name, group and inputs. The caller frees out->model. */
void check_form_make(const check_family *family, const check_form *form, check_case *out);
/* A tensor of the elements of an input of CHECK_GIVEN. The caller frees it. NULL: *e is set. */
oc_value *check_form_given(const check_input *in, const check_form *form, oc_error *e);

#endif
