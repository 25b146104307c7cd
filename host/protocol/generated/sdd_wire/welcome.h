/* Generated SBE (Simple Binary Encoding) message codec */

#ifndef _SDD_WIRE_WELCOME_H_
#define _SDD_WIRE_WELCOME_H_

#include <errno.h>
#if !defined(__STDC_LIMIT_MACROS)
#define __STDC_LIMIT_MACROS 1
#endif
#include <limits.h>
#define SBE_FLOAT_NAN NAN
#define SBE_DOUBLE_NAN NAN
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "status.h"
#include "safePolicy.h"
#include "action.h"
#include "messageHeader.h"
#include "utf8.h"
#include "booleanType.h"
#include "clock.h"
#include "groupSizeEncoding.h"
#include "reason.h"
#include "role.h"
#include "flowMatch.h"
#include "triggerTarget.h"
#include "network.h"
#include "discipline.h"

#ifdef __cplusplus
#define SBE_ONE_DEF inline
#else
#define SBE_ONE_DEF static inline
#endif

/*
 * Define some byte ordering macros
 */
#if defined(WIN32) || defined(_WIN32)
    #define SBE_BIG_ENDIAN_ENCODE_16(v) _byteswap_ushort(v)
    #define SBE_BIG_ENDIAN_ENCODE_32(v) _byteswap_ulong(v)
    #define SBE_BIG_ENDIAN_ENCODE_64(v) _byteswap_uint64(v)
    #define SBE_LITTLE_ENDIAN_ENCODE_16(v) (v)
    #define SBE_LITTLE_ENDIAN_ENCODE_32(v) (v)
    #define SBE_LITTLE_ENDIAN_ENCODE_64(v) (v)
#elif __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    #define SBE_BIG_ENDIAN_ENCODE_16(v) __builtin_bswap16(v)
    #define SBE_BIG_ENDIAN_ENCODE_32(v) __builtin_bswap32(v)
    #define SBE_BIG_ENDIAN_ENCODE_64(v) __builtin_bswap64(v)
    #define SBE_LITTLE_ENDIAN_ENCODE_16(v) (v)
    #define SBE_BIG_ENDIAN_ENCODE_32(v) __builtin_bswap32(v)
    #define SBE_BIG_ENDIAN_ENCODE_64(v) __builtin_bswap64(v)
    #define SBE_LITTLE_ENDIAN_ENCODE_16(v) (v)
    #define SBE_LITTLE_ENDIAN_ENCODE_32(v) (v)
    #define SBE_LITTLE_ENDIAN_ENCODE_64(v) (v)
#elif __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    #define SBE_LITTLE_ENDIAN_ENCODE_16(v) __builtin_bswap16(v)
    #define SBE_LITTLE_ENDIAN_ENCODE_32(v) __builtin_bswap32(v)
    #define SBE_LITTLE_ENDIAN_ENCODE_64(v) __builtin_bswap64(v)
    #define SBE_BIG_ENDIAN_ENCODE_16(v) (v)
    #define SBE_BIG_ENDIAN_ENCODE_32(v) (v)
    #define SBE_BIG_ENDIAN_ENCODE_64(v) (v)
#else
    #error "Byte Ordering of platform not determined. Set __BYTE_ORDER__ manually before including this file."
#endif

#if !defined(SBE_BOUNDS_CHECK_EXPECT)
#  if defined(SBE_NO_BOUNDS_CHECK)
#    define SBE_BOUNDS_CHECK_EXPECT(exp, c) (false)
#  elif defined(_MSC_VER)
#    define SBE_BOUNDS_CHECK_EXPECT(exp, c) (exp)
#  else 
#    define SBE_BOUNDS_CHECK_EXPECT(exp, c) (__builtin_expect(exp, c))
#  endif

#endif

#define SBE_NULLVALUE_INT8 INT8_MIN
#define SBE_NULLVALUE_INT16 INT16_MIN
#define SBE_NULLVALUE_INT32 INT32_MIN
#define SBE_NULLVALUE_INT64 INT64_MIN
#define SBE_NULLVALUE_UINT8 UINT8_MAX
#define SBE_NULLVALUE_UINT16 UINT16_MAX
#define SBE_NULLVALUE_UINT32 UINT32_MAX
#define SBE_NULLVALUE_UINT64 UINT64_MAX

#define E100 -50100 // E_BUF_SHORT
#define E103 -50103 // VAL_UNKNOWN_ENUM
#define E104 -50104 // I_OUT_RANGE_NUM
#define E105 -50105 // I_OUT_RANGE_NUM
#define E106 -50106 // I_OUT_RANGE_NUM
#define E107 -50107 // BUF_SHORT_FLYWEIGHT
#define E108 -50108 // BUF_SHORT_NXT_GRP_IND
#define E109 -50109 // STR_TOO_LONG_FOR_LEN_TYP
#define E110 -50110 // CNT_OUT_RANGE

#ifndef SBE_STRERROR_DEFINED
#define SBE_STRERROR_DEFINED
SBE_ONE_DEF const char *sbe_strerror(const int errnum)
{
    switch (errnum)
    {
        case E100:
            return "buffer too short";
        case E103:
            return "unknown value for enum";
        case E104:
            return "index out of range";
        case E105:
            return "index out of range";
        case E106:
            return "length too large";
        case E107:
            return "buffer too short for flyweight";
        case E108:
            return "buffer too short to support next group index";
        case E109:
            return "std::string too long for length type";
        case E110:
            return "count outside of allowed range";
        default:
            return "unknown error";
    }
}
#endif

struct sdd_wire_welcome
{
    char *buffer;
    uint64_t buffer_length;
    uint64_t offset;
    uint64_t position;
    uint64_t acting_block_length;
    uint64_t acting_version;
};

enum sdd_wire_welcome_meta_attribute
{
    sdd_wire_welcome_meta_attribute_EPOCH,
    sdd_wire_welcome_meta_attribute_TIME_UNIT,
    sdd_wire_welcome_meta_attribute_SEMANTIC_TYPE,
    sdd_wire_welcome_meta_attribute_PRESENCE
};

union sdd_wire_welcome_float_as_uint
{
    float fp_value;
    uint32_t uint_value;
};

union sdd_wire_welcome_double_as_uint
{
    double fp_value;
    uint64_t uint_value;
};

struct sdd_wire_welcome_string_view
{
    const char* data;
    size_t length;
};

SBE_ONE_DEF uint64_t sdd_wire_welcome_sbe_position(
    const struct sdd_wire_welcome *const codec)
{
    return codec->position;
}

SBE_ONE_DEF bool sdd_wire_welcome_set_sbe_position(
    struct sdd_wire_welcome *const codec,
    const uint64_t position)
{
    if (SBE_BOUNDS_CHECK_EXPECT((position > codec->buffer_length), false))
    {
        errno = E100;
        return false;
    }
    codec->position = position;

    return true;
}

SBE_ONE_DEF uint64_t *sdd_wire_welcome_sbe_position_ptr(
    struct sdd_wire_welcome *const codec)
{
    return &codec->position;
}

SBE_ONE_DEF struct sdd_wire_welcome *sdd_wire_welcome_reset(
    struct sdd_wire_welcome *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t buffer_length,
    const uint64_t acting_block_length,
    const uint64_t acting_version)
{
    codec->buffer = buffer;
    codec->offset = offset;
    codec->buffer_length = buffer_length;
    codec->acting_block_length = acting_block_length;
    codec->acting_version = acting_version;
    if (!sdd_wire_welcome_set_sbe_position(codec, offset + acting_block_length))
    {
        return NULL;
    }

    return codec;
}

SBE_ONE_DEF struct sdd_wire_welcome *sdd_wire_welcome_copy(
    struct sdd_wire_welcome *const codec,
    const struct sdd_wire_welcome *const other)
{
     codec->buffer = other->buffer;
     codec->offset = other->offset;
     codec->buffer_length = other->buffer_length;
     codec->acting_block_length = other->acting_block_length;
     codec->acting_version = other->acting_version;
     codec->position = other->position;

     return codec;
}

SBE_ONE_DEF uint16_t sdd_wire_welcome_sbe_block_length(void)
{
    return (uint16_t)82;
}

#define SDD_WIRE_WELCOME_SBE_TEMPLATE_ID (uint16_t)64

SBE_ONE_DEF uint16_t sdd_wire_welcome_sbe_template_id(void)
{
    return (uint16_t)64;
}

SBE_ONE_DEF uint16_t sdd_wire_welcome_sbe_schema_id(void)
{
    return (uint16_t)1385;
}

SBE_ONE_DEF uint16_t sdd_wire_welcome_sbe_schema_version(void)
{
    return (uint16_t)0;
}

SBE_ONE_DEF const char* sdd_wire_welcome_sbe_semantic_version(void)
{
    return "1";
}

SBE_ONE_DEF const char *sdd_wire_welcome_sbe_semantic_type(void)
{
    return "";
}

SBE_ONE_DEF uint64_t sdd_wire_welcome_offset(
    const struct sdd_wire_welcome *const codec)
{
    return codec->offset;
}

SBE_ONE_DEF struct sdd_wire_welcome *sdd_wire_welcome_wrap_and_apply_header(
    struct sdd_wire_welcome *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t buffer_length,
    struct sdd_wire_messageHeader *const hdr)
{
    sdd_wire_messageHeader_wrap(
        hdr, buffer + offset, 0, sdd_wire_messageHeader_sbe_schema_version(), buffer_length);

    sdd_wire_messageHeader_set_blockLength(hdr, sdd_wire_welcome_sbe_block_length());
    sdd_wire_messageHeader_set_templateId(hdr, sdd_wire_welcome_sbe_template_id());
    sdd_wire_messageHeader_set_schemaId(hdr, sdd_wire_welcome_sbe_schema_id());
    sdd_wire_messageHeader_set_version(hdr, sdd_wire_welcome_sbe_schema_version());

    sdd_wire_welcome_reset(
        codec,
        buffer + offset + sdd_wire_messageHeader_encoded_length(),
        0,
        buffer_length - sdd_wire_messageHeader_encoded_length(),
        sdd_wire_welcome_sbe_block_length(),
        sdd_wire_welcome_sbe_schema_version());

    return codec;
}

SBE_ONE_DEF struct sdd_wire_welcome *sdd_wire_welcome_wrap_for_encode(
    struct sdd_wire_welcome *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t buffer_length)
{
    return sdd_wire_welcome_reset(
        codec,
        buffer,
        offset,
        buffer_length,
        sdd_wire_welcome_sbe_block_length(),
        sdd_wire_welcome_sbe_schema_version());
}

SBE_ONE_DEF struct sdd_wire_welcome *sdd_wire_welcome_wrap_for_decode(
    struct sdd_wire_welcome *const codec,
    char *buffer,
    const uint64_t offset,
    const uint64_t acting_block_length,
    const uint64_t acting_version,
    const uint64_t buffer_length)
{
    return sdd_wire_welcome_reset(
        codec,
        buffer,
        offset,
        buffer_length,
        acting_block_length,
        acting_version);
}

SBE_ONE_DEF struct sdd_wire_welcome *sdd_wire_welcome_sbe_rewind(
    struct sdd_wire_welcome *const codec)
{
    return sdd_wire_welcome_wrap_for_decode(
        codec,
        codec->buffer,
        codec->offset,
        codec->acting_block_length,
        codec->acting_version,
        codec->buffer_length);
}

SBE_ONE_DEF uint64_t sdd_wire_welcome_encoded_length(
    const struct sdd_wire_welcome *const codec)
{
    return sdd_wire_welcome_sbe_position(codec) - codec->offset;
}

SBE_ONE_DEF const char *sdd_wire_welcome_buffer(
    const struct sdd_wire_welcome *const codec)
{
    return codec->buffer;
}

SBE_ONE_DEF char *sdd_wire_welcome_mut_buffer(
    struct sdd_wire_welcome *const codec)
{
    return codec->buffer;
}

SBE_ONE_DEF uint64_t sdd_wire_welcome_buffer_length(
    const struct sdd_wire_welcome *const codec)
{
    return codec->buffer_length;
}

SBE_ONE_DEF uint64_t sdd_wire_welcome_acting_version(
    const struct sdd_wire_welcome *const codec)
{
    return codec->acting_version;
}

SBE_ONE_DEF const char *sdd_wire_welcome_sessionId_meta_attribute(
    const enum sdd_wire_welcome_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_welcome_meta_attribute_EPOCH: return "";
        case sdd_wire_welcome_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_welcome_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_welcome_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t sdd_wire_welcome_sessionId_id(void)
{
    return 1;
}

SBE_ONE_DEF uint64_t sdd_wire_welcome_sessionId_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_welcome_sessionId_in_acting_version(
    const struct sdd_wire_welcome *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_welcome_sessionId_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t sdd_wire_welcome_sessionId_encoding_offset(void)
{
    return 0;
}

SBE_ONE_DEF uint64_t sdd_wire_welcome_sessionId_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t sdd_wire_welcome_sessionId_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t sdd_wire_welcome_sessionId_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t sdd_wire_welcome_sessionId_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t sdd_wire_welcome_sessionId(
    const struct sdd_wire_welcome *const codec)
{
    uint64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 0, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct sdd_wire_welcome *sdd_wire_welcome_set_sessionId(
    struct sdd_wire_welcome *const codec,
    const uint64_t value)
{
    uint64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 0, &val, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *sdd_wire_welcome_datagramKey_meta_attribute(
    const enum sdd_wire_welcome_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_welcome_meta_attribute_EPOCH: return "";
        case sdd_wire_welcome_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_welcome_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_welcome_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t sdd_wire_welcome_datagramKey_id(void)
{
    return 2;
}

SBE_ONE_DEF uint64_t sdd_wire_welcome_datagramKey_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_welcome_datagramKey_in_acting_version(
    const struct sdd_wire_welcome *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_welcome_datagramKey_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t sdd_wire_welcome_datagramKey_encoding_offset(void)
{
    return 8;
}

SBE_ONE_DEF uint8_t sdd_wire_welcome_datagramKey_null_value(void)
{
    return SBE_NULLVALUE_UINT8;
}

SBE_ONE_DEF uint8_t sdd_wire_welcome_datagramKey_min_value(void)
{
    return (uint8_t)0;
}

SBE_ONE_DEF uint8_t sdd_wire_welcome_datagramKey_max_value(void)
{
    return (uint8_t)254;
}

SBE_ONE_DEF size_t sdd_wire_welcome_datagramKey_encoding_length(void)
{
    return 32;
}

SBE_ONE_DEF uint64_t sdd_wire_welcome_datagramKey_length(void)
{
    return 32;
}

SBE_ONE_DEF const char *sdd_wire_welcome_datagramKey_buffer(
    const struct sdd_wire_welcome *const codec)
{
    return codec->buffer + codec->offset + 8;
}

SBE_ONE_DEF uint8_t sdd_wire_welcome_datagramKey_unsafe(
    const struct sdd_wire_welcome *const codec,
    const uint64_t index)
{
    uint8_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 8 + (index * 1), sizeof(uint8_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return (val);
}

SBE_ONE_DEF bool sdd_wire_welcome_datagramKey(
    const struct sdd_wire_welcome *const codec,
    const uint64_t index,
    uint8_t *const out)
{
    if (index >= 32)
    {
        errno = E104;
        return false;
    }

    uint8_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 8 + (index * 1), sizeof(uint8_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    *out = (val);
    return true;
}

SBE_ONE_DEF struct sdd_wire_welcome *sdd_wire_welcome_set_datagramKey_unsafe(
    struct sdd_wire_welcome *const codec,
    const uint64_t index,
    const uint8_t value)
{
    uint8_t val = (value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 8 + (index * 1), &val, sizeof(uint8_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF struct sdd_wire_welcome *sdd_wire_welcome_set_datagramKey(
    struct sdd_wire_welcome *const codec,
    const uint64_t index,
    const uint8_t value)
{
    if (index >= 32)
    {
        errno = E105;
        return NULL;
    }

    uint8_t val = (value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 8 + (index * 1), &val, sizeof(uint8_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF char *sdd_wire_welcome_get_datagramKey(
    const struct sdd_wire_welcome *const codec,
    char *dst,
    const uint64_t length)
{
    if (length > 32)
    {
        errno = E106;
        return NULL;
    }

    memcpy(dst, codec->buffer + codec->offset + 8, sizeof(uint8_t) * length);

    return dst;
}

SBE_ONE_DEF struct sdd_wire_welcome *sdd_wire_welcome_put_datagramKey(
    struct sdd_wire_welcome *const codec,
    const char *src)
{
    memcpy(codec->buffer + codec->offset + 8, src, sizeof(uint8_t) * 32);

    return codec;
}

SBE_ONE_DEF const char *sdd_wire_welcome_clock_meta_attribute(
    const enum sdd_wire_welcome_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_welcome_meta_attribute_EPOCH: return "";
        case sdd_wire_welcome_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_welcome_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_welcome_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t sdd_wire_welcome_clock_id(void)
{
    return 3;
}

SBE_ONE_DEF uint64_t sdd_wire_welcome_clock_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_welcome_clock_in_acting_version(
    const struct sdd_wire_welcome *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_welcome_clock_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t sdd_wire_welcome_clock_encoding_offset(void)
{
    return 40;
}

SBE_ONE_DEF size_t sdd_wire_welcome_clock_encoding_length(void)
{
    return 1;
}

SBE_ONE_DEF bool sdd_wire_welcome_clock(
    const struct sdd_wire_welcome *const codec,
    enum sdd_wire_clock *const out)
{
    uint8_t val;
    memcpy(&val, codec->buffer + codec->offset + 40, sizeof(uint8_t));

    return sdd_wire_clock_get((val), out);
}

SBE_ONE_DEF struct sdd_wire_welcome *sdd_wire_welcome_set_clock(
    struct sdd_wire_welcome *const codec,
    const enum sdd_wire_clock value)
{
    uint8_t val = (value);
    memcpy(codec->buffer + codec->offset + 40, &val, sizeof(uint8_t));

    return codec;
}

SBE_ONE_DEF const char *sdd_wire_welcome_number_meta_attribute(
    const enum sdd_wire_welcome_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_welcome_meta_attribute_EPOCH: return "";
        case sdd_wire_welcome_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_welcome_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_welcome_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t sdd_wire_welcome_number_id(void)
{
    return 4;
}

SBE_ONE_DEF uint64_t sdd_wire_welcome_number_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_welcome_number_in_acting_version(
    const struct sdd_wire_welcome *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_welcome_number_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t sdd_wire_welcome_number_encoding_offset(void)
{
    return 41;
}

SBE_ONE_DEF uint32_t sdd_wire_welcome_number_null_value(void)
{
    return SBE_NULLVALUE_UINT32;
}

SBE_ONE_DEF uint32_t sdd_wire_welcome_number_min_value(void)
{
    return UINT32_C(0x0);
}

SBE_ONE_DEF uint32_t sdd_wire_welcome_number_max_value(void)
{
    return UINT32_C(0xfffffffe);
}

SBE_ONE_DEF size_t sdd_wire_welcome_number_encoding_length(void)
{
    return 4;
}

SBE_ONE_DEF uint32_t sdd_wire_welcome_number(
    const struct sdd_wire_welcome *const codec)
{
    uint32_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 41, sizeof(uint32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_32(val);
}

SBE_ONE_DEF struct sdd_wire_welcome *sdd_wire_welcome_set_number(
    struct sdd_wire_welcome *const codec,
    const uint32_t value)
{
    uint32_t val = SBE_LITTLE_ENDIAN_ENCODE_32(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 41, &val, sizeof(uint32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *sdd_wire_welcome_epochNs_meta_attribute(
    const enum sdd_wire_welcome_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_welcome_meta_attribute_EPOCH: return "";
        case sdd_wire_welcome_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_welcome_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_welcome_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t sdd_wire_welcome_epochNs_id(void)
{
    return 5;
}

SBE_ONE_DEF uint64_t sdd_wire_welcome_epochNs_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_welcome_epochNs_in_acting_version(
    const struct sdd_wire_welcome *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_welcome_epochNs_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t sdd_wire_welcome_epochNs_encoding_offset(void)
{
    return 45;
}

SBE_ONE_DEF int64_t sdd_wire_welcome_epochNs_null_value(void)
{
    return SBE_NULLVALUE_INT64;
}

SBE_ONE_DEF int64_t sdd_wire_welcome_epochNs_min_value(void)
{
    return INT64_C(-9223372036854775807);
}

SBE_ONE_DEF int64_t sdd_wire_welcome_epochNs_max_value(void)
{
    return INT64_C(9223372036854775807);
}

SBE_ONE_DEF size_t sdd_wire_welcome_epochNs_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF int64_t sdd_wire_welcome_epochNs(
    const struct sdd_wire_welcome *const codec)
{
    int64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 45, sizeof(int64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct sdd_wire_welcome *sdd_wire_welcome_set_epochNs(
    struct sdd_wire_welcome *const codec,
    const int64_t value)
{
    int64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 45, &val, sizeof(int64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *sdd_wire_welcome_periodNs_meta_attribute(
    const enum sdd_wire_welcome_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_welcome_meta_attribute_EPOCH: return "";
        case sdd_wire_welcome_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_welcome_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_welcome_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t sdd_wire_welcome_periodNs_id(void)
{
    return 6;
}

SBE_ONE_DEF uint64_t sdd_wire_welcome_periodNs_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_welcome_periodNs_in_acting_version(
    const struct sdd_wire_welcome *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_welcome_periodNs_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t sdd_wire_welcome_periodNs_encoding_offset(void)
{
    return 53;
}

SBE_ONE_DEF uint64_t sdd_wire_welcome_periodNs_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t sdd_wire_welcome_periodNs_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t sdd_wire_welcome_periodNs_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t sdd_wire_welcome_periodNs_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t sdd_wire_welcome_periodNs(
    const struct sdd_wire_welcome *const codec)
{
    uint64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 53, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct sdd_wire_welcome *sdd_wire_welcome_set_periodNs(
    struct sdd_wire_welcome *const codec,
    const uint64_t value)
{
    uint64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 53, &val, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *sdd_wire_welcome_guardNs_meta_attribute(
    const enum sdd_wire_welcome_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_welcome_meta_attribute_EPOCH: return "";
        case sdd_wire_welcome_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_welcome_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_welcome_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t sdd_wire_welcome_guardNs_id(void)
{
    return 7;
}

SBE_ONE_DEF uint64_t sdd_wire_welcome_guardNs_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_welcome_guardNs_in_acting_version(
    const struct sdd_wire_welcome *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_welcome_guardNs_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t sdd_wire_welcome_guardNs_encoding_offset(void)
{
    return 61;
}

SBE_ONE_DEF uint64_t sdd_wire_welcome_guardNs_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t sdd_wire_welcome_guardNs_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t sdd_wire_welcome_guardNs_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t sdd_wire_welcome_guardNs_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t sdd_wire_welcome_guardNs(
    const struct sdd_wire_welcome *const codec)
{
    uint64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 61, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct sdd_wire_welcome *sdd_wire_welcome_set_guardNs(
    struct sdd_wire_welcome *const codec,
    const uint64_t value)
{
    uint64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 61, &val, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *sdd_wire_welcome_lostAfterPeriods_meta_attribute(
    const enum sdd_wire_welcome_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_welcome_meta_attribute_EPOCH: return "";
        case sdd_wire_welcome_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_welcome_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_welcome_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t sdd_wire_welcome_lostAfterPeriods_id(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t sdd_wire_welcome_lostAfterPeriods_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_welcome_lostAfterPeriods_in_acting_version(
    const struct sdd_wire_welcome *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_welcome_lostAfterPeriods_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t sdd_wire_welcome_lostAfterPeriods_encoding_offset(void)
{
    return 69;
}

SBE_ONE_DEF uint32_t sdd_wire_welcome_lostAfterPeriods_null_value(void)
{
    return SBE_NULLVALUE_UINT32;
}

SBE_ONE_DEF uint32_t sdd_wire_welcome_lostAfterPeriods_min_value(void)
{
    return UINT32_C(0x0);
}

SBE_ONE_DEF uint32_t sdd_wire_welcome_lostAfterPeriods_max_value(void)
{
    return UINT32_C(0xfffffffe);
}

SBE_ONE_DEF size_t sdd_wire_welcome_lostAfterPeriods_encoding_length(void)
{
    return 4;
}

SBE_ONE_DEF uint32_t sdd_wire_welcome_lostAfterPeriods(
    const struct sdd_wire_welcome *const codec)
{
    uint32_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 69, sizeof(uint32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_32(val);
}

SBE_ONE_DEF struct sdd_wire_welcome *sdd_wire_welcome_set_lostAfterPeriods(
    struct sdd_wire_welcome *const codec,
    const uint32_t value)
{
    uint32_t val = SBE_LITTLE_ENDIAN_ENCODE_32(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 69, &val, sizeof(uint32_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

SBE_ONE_DEF const char *sdd_wire_welcome_safePolicy_meta_attribute(
    const enum sdd_wire_welcome_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_welcome_meta_attribute_EPOCH: return "";
        case sdd_wire_welcome_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_welcome_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_welcome_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t sdd_wire_welcome_safePolicy_id(void)
{
    return 9;
}

SBE_ONE_DEF uint64_t sdd_wire_welcome_safePolicy_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_welcome_safePolicy_in_acting_version(
    const struct sdd_wire_welcome *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_welcome_safePolicy_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t sdd_wire_welcome_safePolicy_encoding_offset(void)
{
    return 73;
}

SBE_ONE_DEF size_t sdd_wire_welcome_safePolicy_encoding_length(void)
{
    return 1;
}

SBE_ONE_DEF bool sdd_wire_welcome_safePolicy(
    const struct sdd_wire_welcome *const codec,
    enum sdd_wire_safePolicy *const out)
{
    uint8_t val;
    memcpy(&val, codec->buffer + codec->offset + 73, sizeof(uint8_t));

    return sdd_wire_safePolicy_get((val), out);
}

SBE_ONE_DEF struct sdd_wire_welcome *sdd_wire_welcome_set_safePolicy(
    struct sdd_wire_welcome *const codec,
    const enum sdd_wire_safePolicy value)
{
    uint8_t val = (value);
    memcpy(codec->buffer + codec->offset + 73, &val, sizeof(uint8_t));

    return codec;
}

SBE_ONE_DEF const char *sdd_wire_welcome_safeRateBps_meta_attribute(
    const enum sdd_wire_welcome_meta_attribute attribute)
{
    switch (attribute)
    {
        case sdd_wire_welcome_meta_attribute_EPOCH: return "";
        case sdd_wire_welcome_meta_attribute_TIME_UNIT: return "";
        case sdd_wire_welcome_meta_attribute_SEMANTIC_TYPE: return "";
        case sdd_wire_welcome_meta_attribute_PRESENCE: return "required";
    }

    return "";
}

SBE_ONE_DEF uint16_t sdd_wire_welcome_safeRateBps_id(void)
{
    return 10;
}

SBE_ONE_DEF uint64_t sdd_wire_welcome_safeRateBps_since_version(void)
{
    return 0;
}

SBE_ONE_DEF bool sdd_wire_welcome_safeRateBps_in_acting_version(
    const struct sdd_wire_welcome *const codec)
{
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wtautological-compare"
#endif
    return codec->acting_version >= sdd_wire_welcome_safeRateBps_since_version();
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
}

SBE_ONE_DEF size_t sdd_wire_welcome_safeRateBps_encoding_offset(void)
{
    return 74;
}

SBE_ONE_DEF uint64_t sdd_wire_welcome_safeRateBps_null_value(void)
{
    return SBE_NULLVALUE_UINT64;
}

SBE_ONE_DEF uint64_t sdd_wire_welcome_safeRateBps_min_value(void)
{
    return UINT64_C(0x0);
}

SBE_ONE_DEF uint64_t sdd_wire_welcome_safeRateBps_max_value(void)
{
    return UINT64_C(0xfffffffffffffffe);
}

SBE_ONE_DEF size_t sdd_wire_welcome_safeRateBps_encoding_length(void)
{
    return 8;
}

SBE_ONE_DEF uint64_t sdd_wire_welcome_safeRateBps(
    const struct sdd_wire_welcome *const codec)
{
    uint64_t val;
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(&val, codec->buffer + codec->offset + 74, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return SBE_LITTLE_ENDIAN_ENCODE_64(val);
}

SBE_ONE_DEF struct sdd_wire_welcome *sdd_wire_welcome_set_safeRateBps(
    struct sdd_wire_welcome *const codec,
    const uint64_t value)
{
    uint64_t val = SBE_LITTLE_ENDIAN_ENCODE_64(value);
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    memcpy(codec->buffer + codec->offset + 74, &val, sizeof(uint64_t));
#if defined(__GNUG__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
    return codec;
}

#endif
